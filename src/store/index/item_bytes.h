#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sosie {

// Appends a number as 7 bits a byte, lowest first (docs/formats/index.md, varint).
inline void put_number(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Takes bytes of an item from front to back; once some are missing, nothing is right any more.
class ItemBytes {
 public:
  explicit ItemBytes(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::string_view byte = bytes(1);
      if (!right_) return 0;
      const auto part = static_cast<unsigned char>(byte.front());
      if (shift == 63 && part > 1) break;
      value |= std::uint64_t{part & 0x7FU} << shift;
      if (part < 0x80) {
        right_ &= part != 0 || shift == 0;  // one way to write a number
        return value;
      }
    }
    right_ = false;
    return 0;
  }
  std::uint32_t small_number() {
    const std::uint64_t value = number();
    right_ &= value >> 32 == 0;
    return static_cast<std::uint32_t>(value);
  }
  std::string_view bytes(std::uint64_t count) {
    right_ &= count <= rest_.size();
    if (!right_) return {};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  template <class T>
  T plain() {
    T value{};
    if (const std::string_view taken = bytes(sizeof value); right_) {
      std::memcpy(&value, taken.data(), sizeof value);
    }
    return value;
  }
  [[nodiscard]] bool is_right() const noexcept { return right_; }
  [[nodiscard]] bool ends_well() const noexcept { return right_ && rest_.empty(); }
  void expect(bool holds) noexcept { right_ &= holds; }

 private:
  std::string_view rest_;
  bool right_ = true;
};

}  // namespace sosie
