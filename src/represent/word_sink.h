#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/word_marks.h"
#include "represent/folded_bytes.h"
#include "represent/normalize.h"
#include "represent/unicode_tables.h"
#include "represent/utf8_letters.h"

namespace sosie {

// Takes folded text piece by piece and notes where its words begin and end. Begins and ends are
// written separately, each without a branch for every token, and leave in batches.
class WordSink {
 public:
  WordSink(FoldedText& out, std::size_t text_size)
      : bytes_(out.bytes, text_size), tokens_(out.tokens) {
    tokens_.clear();
  }

  void make_room(std::size_t count) { bytes_.make_room(count); }

  // Bytes to be folded and cut as ASCII; bytes >= 0x80 count as letters. Reads 63 bytes past the
  // end.
  void plain(const unsigned char* at, std::size_t size) {
    while (size > 0) {
      const std::size_t count = std::min(size, kernels::kMarkBytes);
      if (begun_ + kernels::kMarkRoom > kBatch) flush();
      kernels::WordMarks marks{&batch_[0].begin, begun_, ended_};
      kernels::mark_ascii_words(at, count, reinterpret_cast<unsigned char*>(bytes_.end()),
                                static_cast<std::uint32_t>(bytes_.size()), marks);
      begun_ = marks.begun;
      ended_ = marks.ended;
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
      if (begun_ + kernels::kMarkRoom > kBatch) flush();
      kernels::WordMarks marks{&batch_[0].begin, begun_, ended_};
      taken = kernels::mark_utf8_words(at + done, size - done, utf8_letters(),
                                       reinterpret_cast<unsigned char*>(bytes_.end()),
                                       static_cast<std::uint32_t>(bytes_.size()), marks);
      begun_ = marks.begun;
      ended_ = marks.ended;
      bytes_.advance(taken.size);
    }
    return done;
  }

  // One or more folded code points of the same class in `size` bytes; eight must be readable.
  [[gnu::always_inline]] void put(const unsigned char* folded, std::size_t size,
                                  unicode::CharClass char_class) {
    const std::size_t at = bytes_.size();
    if (begun_ + 2 > kBatch) flush();
    if (char_class == unicode::CharClass::word) {
      if (begun_ == ended_) begin_word(at);
    } else {
      if (begun_ != ended_) end_word(at);
      if (char_class != unicode::CharClass::single) return;
      begin_word(at);
      end_word(at + size);
    }
    std::memcpy(bytes_.end(), folded, 8);
    bytes_.advance(size);
  }

  void finish() {
    if (begun_ != ended_) end_word(bytes_.size());
    flush();
    bytes_.finish();
  }

 private:
  static constexpr std::size_t kBatch = 2 * kernels::kMarkRoom;

  void begin_word(std::size_t at) noexcept {
    batch_[begun_++].begin = static_cast<std::uint32_t>(at);
  }
  void end_word(std::size_t at) noexcept { batch_[ended_++].end = static_cast<std::uint32_t>(at); }

  // An open word stays, with its begin.
  void flush() {
    const auto* batch = batch_.data();
    tokens_.insert(tokens_.end(), batch, batch + ended_);
    if (begun_ != ended_) batch_[0].begin = batch_[ended_].begin;
    begun_ -= ended_;
    ended_ = 0;
  }

  FoldedBytes bytes_;
  std::vector<TokenSpan>& tokens_;
  std::size_t begun_ = 0;  // begins written to the batch: one more than ends inside a word
  std::size_t ended_ = 0;
  static_assert(sizeof(TokenSpan) == 2 * sizeof(std::uint32_t));  // the kernel's list of places
  std::array<TokenSpan, kBatch> batch_;
};

}  // namespace sosie
