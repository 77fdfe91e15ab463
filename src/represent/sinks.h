#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "data/padded_bytes.h"
#include "kernels/fold_utf8_chars.h"
#include "kernels/word_marks.h"
#include "represent/folded_text.h"
#include "represent/unicode_tables.h"
#include "represent/utf8_letters.h"
#include "sosie/error.h"

namespace sosie {

// The end of a FoldedText's bytes, where text is appended. Writers keep space for the rest of the
// input, so that a check is necessary only for text that grows when folded. Up to 64 bytes may
// always be stored at end(), even if only a few of them count, since the padding absorbs the rest.
class FoldedBytes {
 public:
  // `text_size`: bytes of text still to come.
  FoldedBytes(PaddedBytes& bytes, std::size_t text_size) : bytes_(bytes) {
    bytes_.set_size(0);
    ensure_capacity(text_size);
    begin_ = bytes_.data();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] char* end() noexcept { return begin_ + size_; }
  void advance(std::size_t count) noexcept { size_ += count; }

  // Ensures space for `count` more bytes. The limit applies to the requested count, not to the
  // allocated capacity, so that it does not depend on earlier texts.
  void ensure_capacity(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
  }

  void finish() noexcept { bytes_.set_size(size_); }

 private:
  static constexpr std::size_t kMaxBytes = std::numeric_limits<std::uint32_t>::max();

  void grow(std::size_t wanted) {
    if (wanted > kMaxBytes) {
      throw Error(ErrorKind::limit_exceeded,
                  "a text takes more than " + std::to_string(kMaxBytes) + " bytes when folded");
    }
    bytes_.set_size(size_);
    bytes_.reserve(wanted);
    begin_ = bytes_.data();
    capacity_ = std::min(bytes_.capacity(), kMaxBytes);
  }

  PaddedBytes& bytes_;
  char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Receives folded text in pieces and turns every run of white space into a single space.
class CharSink {
 public:
  CharSink(FoldedText& out, std::size_t text_size) : bytes_(out.bytes, text_size) {
    out.tokens.set_size(0);
  }

  void ensure_capacity(std::size_t count) { bytes_.ensure_capacity(count); }

  // Appends bytes folded as ASCII; those >= 0x80 stay. Reads 63 bytes past the end.
  void plain(const unsigned char* at, std::size_t size) noexcept {
    bytes_.advance(kernels::fold_ascii_chars(
        at, size, reinterpret_cast<unsigned char*>(bytes_.end()), after_blank_));
  }

  // Folds characters whose size does not change, up to about the first one whose size does, and
  // returns the number of bytes consumed. `at` must begin with a character that does not combine
  // with a preceding one. Reads 64 bytes past the end.
  [[nodiscard]] std::size_t take(const unsigned char* at, std::size_t size) noexcept {
    kernels::Taken taken;
    bytes_.advance(kernels::fold_utf8_chars(at, size, utf8_letters(),
                                            reinterpret_cast<unsigned char*>(bytes_.end()),
                                            after_blank_, taken));
    return taken.size;
  }

  // Appends at least one folded code point, all of the same class, `size` bytes in total; eight
  // bytes must be readable.
  [[gnu::always_inline]] void put(const unsigned char* folded, std::size_t size,
                                  unicode::CharClass char_class) noexcept {
    if (char_class == unicode::CharClass::blank) {
      put_blank();
      return;
    }
    std::memcpy(bytes_.end(), folded, 8);
    bytes_.advance(size);
    after_blank_ = false;
  }

  void finish() noexcept {
    if (after_blank_ && bytes_.size() > 0) bytes_.advance(std::size_t{0} - 1);
    bytes_.finish();
  }

 private:
  void put_blank() noexcept {
    if (after_blank_) return;
    *bytes_.end() = ' ';
    bytes_.advance(1);
    after_blank_ = true;
  }

  FoldedBytes bytes_;
  bool after_blank_ = true;  // so that there is none at the beginning
};

// Receives folded text in pieces and records where its words begin and end, alternately and without
// a branch for each word.
class WordSink {
 public:
  WordSink(FoldedText& out, std::size_t text_size)
      : bytes_(out.bytes, text_size), tokens_(out.tokens) {
    ensure_places();
  }

  void ensure_capacity(std::size_t count) { bytes_.ensure_capacity(count); }

  // Appends bytes folded and divided as ASCII; bytes >= 0x80 count as letters. Reads 63 bytes past
  // the end.
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

  // Folds characters whose size does not change, up to about the first one whose size does, and
  // returns the number of bytes consumed. `at` must begin with a character that does not combine
  // with a preceding one. Reads 64 bytes past the end.
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

  // Appends at least one folded code point, all of the same class, `size` bytes in total; eight
  // bytes must be readable.
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
