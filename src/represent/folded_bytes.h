#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "data/padded_bytes.h"
#include "sosie/error.h"

namespace sosie {

// The growing end of a FoldedText's bytes. Whoever writes keeps room for the rest of the input, so
// that only what grows when folded has to ask. Up to 64 bytes may always be stored at end(),
// however few of them count: the padding takes what is too much.
class FoldedBytes {
 public:
  // `text_size` bytes of text are to come.
  FoldedBytes(PaddedBytes& bytes, std::size_t text_size) : bytes_(bytes) {
    bytes_.set_size(0);
    ensure_capacity(text_size);
    begin_ = bytes_.data();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] char* end() noexcept { return begin_ + size_; }
  void advance(std::size_t count) noexcept { size_ += count; }

  // Makes room for `count` more bytes. The limit is on the count asked for, not on what happens to
  // be allocated, so that it does not depend on the texts before.
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

}  // namespace sosie
