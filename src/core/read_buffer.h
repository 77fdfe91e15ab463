#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sosie {

// Room for bytes that a file or a pipe is read into, of any content at first.
//
// A large one begins 64 bytes behind the start of a page. Allocators hand out whole pages less the
// first 16 bytes, and AMD's Zen 3 copies to an address that lies 1 to 31 bytes further in its page
// than what it copies does at a quarter of its speed: files are read from the start of a page, or
// from one byte before it, and what lies in a pipe begins there.
class ReadBuffer {
 public:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::size_t kStartInPage = 64;
  static constexpr std::size_t kLarge = std::size_t{1} << 16;

  ReadBuffer() = default;
  explicit ReadBuffer(std::size_t size) : size_(size) {
    const std::size_t spare = size < kLarge ? 0 : kPageBytes;
    bytes_ = std::make_unique_for_overwrite<char[]>(size + spare);
    if (spare > 0) begin_ = to_start_in_page(bytes_.get());
  }

  // null if this was made without a size, or moved from.
  [[nodiscard]] char* data() noexcept { return bytes_ ? bytes_.get() + begin_ : nullptr; }
  [[nodiscard]] const char* data() const noexcept {
    return bytes_ ? bytes_.get() + begin_ : nullptr;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  // Bytes from `address` to the next one that lies kStartInPage behind the start of a page.
  static std::size_t to_start_in_page(const char* address) noexcept {
    return (kStartInPage - reinterpret_cast<std::uintptr_t>(address)) % kPageBytes;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t begin_ = 0;  // where in bytes_ the buffer begins
  std::size_t size_ = 0;
};

}  // namespace sosie
