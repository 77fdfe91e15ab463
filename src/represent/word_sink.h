#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/word_marks.h"
#include "represent/folded_bytes.h"
#include "represent/folded_text.h"
#include "represent/unicode_tables.h"
#include "represent/utf8_letters.h"

namespace sosie {

// Takes folded text piece by piece and notes where its words begin and end, in turns and without a
// branch for every word.
class WordSink {
 public:
  WordSink(FoldedText& out, std::size_t text_size)
      : bytes_(out.bytes, text_size), tokens_(out.tokens) {
    ensure_places();
  }

  void ensure_capacity(std::size_t count) { bytes_.ensure_capacity(count); }

  // Bytes to be folded and cut as ASCII; bytes >= 0x80 count as letters. Reads 63 bytes past the
  // end.
  void plain(const unsigned char* at, std::size_t size) {
    while (size > 0) {
      const std::size_t count = std::min(size, kernels::kMarkBytes);
      ensure_places();
      kernels::WordMarks marks{places_, count_};
      kernels::mark_ascii_words(at, count, reinterpret_cast<unsigned char*>(bytes_.end()),
                                static_cast<std::uint32_t>(bytes_.size()), marks);
      count_ = marks.count;
      bytes_.advance(count);
      at += count;
      size -= count;
    }
  }

  // Folds what takes as many bytes when folded, to where something else stands near, and returns
  // how many bytes it took. `at` begins with what joins nothing. Reads 64 bytes past the end.
  [[nodiscard]] std::size_t take(const unsigned char* at, std::size_t size) {
    std::size_t done = 0;
    for (kernels::Taken taken; done < size && !taken.stopped; done += taken.size) {
      ensure_places();
      kernels::WordMarks marks{places_, count_};
      taken = kernels::mark_utf8_words(at + done, size - done, utf8_letters(),
                                       reinterpret_cast<unsigned char*>(bytes_.end()),
                                       static_cast<std::uint32_t>(bytes_.size()), marks);
      count_ = marks.count;
      bytes_.advance(taken.size);
    }
    return done;
  }

  // One or more folded code points of the same class in `size` bytes; eight must be readable.
  [[gnu::always_inline]] void put(const unsigned char* folded, std::size_t size,
                                  unicode::CharClass char_class) {
    const std::size_t at = bytes_.size();
    ensure_places();
    if (char_class == unicode::CharClass::word) {
      if (!inside()) add_place(at);
    } else {
      if (inside()) add_place(at);
      if (char_class != unicode::CharClass::single) return;
      add_place(at);
      add_place(at + size);
    }
    std::memcpy(bytes_.end(), folded, 8);
    bytes_.advance(size);
  }

  void finish() {
    if (inside()) add_place(bytes_.size());
    tokens_.set_size(count_ / 2);
    bytes_.finish();
  }

 private:
  [[nodiscard]] bool inside() const noexcept { return count_ % 2 != 0; }

  void add_place(std::size_t at) noexcept { places_[count_++] = static_cast<std::uint32_t>(at); }

  void ensure_places() {
    if (count_ + kernels::kMarkCapacity <= capacity_) return;
    capacity_ = 2 * (count_ + kernels::kMarkCapacity);
    places_ = tokens_.places(capacity_);
  }

  FoldedBytes bytes_;
  TokenSpans& tokens_;
  std::uint32_t* places_ = nullptr;
  std::size_t count_ = 0;  // odd inside a word
  std::size_t capacity_ = 0;
};

}  // namespace sosie
