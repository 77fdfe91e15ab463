#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/read_buffer.h"

namespace sosie {

// Kernels may read this many bytes beyond the end of a text, so every text buffer ends with this
// many additional zero bytes.
inline constexpr std::size_t kPadding = 64;

// A byte buffer whose contents are followed by kPadding readable zero bytes. It keeps its contents
// when it grows and never shrinks, so that a worker allocates memory only for its largest text.
class PaddedBytes {
 public:
  [[nodiscard]] char* data() noexcept { return bytes_.data(); }
  [[nodiscard]] const char* data() const noexcept { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept {
    return bytes_.data() == nullptr ? 0 : bytes_.size() - kPadding;
  }
  [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), size_}; }

  // Reserves `capacity` bytes plus padding. Contents up to size() are kept; the bytes after them
  // are undefined until set_size().
  void reserve(std::size_t capacity) {
    if (bytes_.data() != nullptr && capacity <= this->capacity()) return;
    ReadBuffer bytes(capacity + capacity / 2 + kPadding);
    if (size_ > 0) std::memcpy(bytes.data(), bytes_.data(), size_);
    bytes_ = std::move(bytes);
  }

  // Sets the size after contents have been written through data(), and zeroes the padding that
  // follows. Requires size <= capacity().
  void set_size(std::size_t size) noexcept {
    size_ = size;
    if (bytes_.data() != nullptr) std::memset(bytes_.data() + size, 0, kPadding);
  }

  void assign(std::string_view text) {
    reserve(text.size());
    if (!text.empty()) std::memcpy(bytes_.data(), text.data(), text.size());
    set_size(text.size());
  }

 private:
  ReadBuffer bytes_;
  std::size_t size_ = 0;
};

}  // namespace sosie
