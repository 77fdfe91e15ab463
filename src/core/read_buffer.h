#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sosie {

// An uninitialised buffer for reading a file or a pipe.
// A large buffer begins 64 bytes after the start of a page. Allocators return whole pages without
// the first 16 bytes, and AMD's Zen 3 copies at only a quarter of its usual speed to an address
// whose offset in its page exceeds that of the source by 1 to 31 bytes. Files are read from the
// start of a page or from one byte before it, and the contents of a pipe begin at the start of a
// page.
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

  // Null if this buffer was default-constructed or moved from.
  [[nodiscard]] char* data() noexcept { return bytes_ ? bytes_.get() + begin_ : nullptr; }
  [[nodiscard]] const char* data() const noexcept {
    return bytes_ ? bytes_.get() + begin_ : nullptr;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  // Number of bytes from `address` to the next address that is kStartInPage bytes into a page.
  static std::size_t to_start_in_page(const char* address) noexcept {
    return (kStartInPage - reinterpret_cast<std::uintptr_t>(address)) % kPageBytes;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t begin_ = 0;  // start of the buffer in bytes_
  std::size_t size_ = 0;
};

}  // namespace sosie
