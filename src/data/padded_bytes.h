#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace sosie {

// Kernels may read this far past the end of any text, so every buffer that text lies in has this
// many zeroed bytes after its end.
inline constexpr std::size_t kPadding = 64;

// Files are read into large buffers, which begin so far behind the start of a page. Allocators hand
// out whole pages less the first 16 bytes, and AMD's Zen 3 copies to an address that lies 1 to 31
// bytes further in its page than the bytes do in the file's at a quarter of its speed.
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kStartInPage = 64;
inline constexpr std::size_t kLargeBuffer = std::size_t{1} << 16;

// A growing byte buffer whose contents are followed by kPadding readable zero bytes. Growing keeps
// the contents; it never shrinks, so that a worker allocates only for its largest text.
class PaddedBytes {
 public:
  [[nodiscard]] char* data() noexcept { return bytes_.get() + begin_; }
  [[nodiscard]] const char* data() const noexcept { return bytes_.get() + begin_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::string_view view() const noexcept { return {data(), size_}; }

  // Room for `capacity` bytes plus padding. Contents up to size() are kept; what is behind them is
  // anything until set_size().
  void reserve(std::size_t capacity) {
    if (bytes_ != nullptr && capacity <= capacity_) return;
    const std::size_t grown = capacity + capacity / 2;
    const std::size_t spare = grown < kLargeBuffer ? 0 : kPageBytes;
    auto bytes = std::make_unique_for_overwrite<char[]>(grown + kPadding + spare);
    const std::size_t begin = spare == 0 ? 0 : to_start_in_page(bytes.get());
    if (size_ > 0) std::memcpy(bytes.get() + begin, data(), size_);
    bytes_ = std::move(bytes);
    begin_ = begin;
    capacity_ = grown;
  }

  // Sets the size (contents up to it are what the caller wrote through data()) and zeroes the
  // padding after it. Requires size <= capacity().
  void set_size(std::size_t size) noexcept {
    size_ = size;
    if (bytes_ != nullptr) std::memset(data() + size, 0, kPadding);
  }

  void assign(std::string_view text) {
    reserve(text.size());
    if (!text.empty()) std::memcpy(data(), text.data(), text.size());
    set_size(text.size());
  }

 private:
  // Bytes from `address` to the next one that lies kStartInPage behind the start of a page.
  static std::size_t to_start_in_page(const char* address) noexcept {
    return (kStartInPage - reinterpret_cast<std::uintptr_t>(address)) % kPageBytes;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t begin_ = 0;  // where in bytes_ the contents begin
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace sosie
