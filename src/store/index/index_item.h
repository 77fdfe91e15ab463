#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "core/mix64.h"

namespace sosie {

// Appends a number with 7 bits per byte, lowest first (docs/formats/index.md, varint).
inline void put_number(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

// Reads the bytes of an item from beginning to end. After a fault, no result is valid.
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
        right_ &= part != 0 || shift == 0;  // numbers have only one valid form
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

// An item of an index on disk, as a view of bytes: its name, its filter signature, and either the
// elements of its set or their place in a file.
struct IndexItem {
  std::uint64_t number = 0;  // in the order of addition; numbers are not reused
  std::string_view id;       // empty and not is_named: the name is the number
  std::string_view fields;   // values of fields (store/index/kept_fields.h); empty: none
  // One byte for each component of the plan. Empty if there is no set, or if the run stores the
  // signature separately.
  std::string_view filter;
  std::string_view elements;  // 8 bytes each, ascending; empty if they are not kept
  // Hash of the text; 0 without a set. A run stores the upper half only if the row is read again.
  Hash128 hash;
  RowLocator locator;      // location of the row, if elements are not kept
  std::uint32_t size = 0;  // elements of the set; 0: it matches nothing
  bool is_named = false;
  bool id_is_integer = false;
  bool is_kept = false;

  // Name used in tables.
  [[nodiscard]] std::string name() const {
    return is_named ? std::string(id) : std::to_string(number);
  }
  [[nodiscard]] bool name_is_integer() const noexcept { return !is_named || id_is_integer; }
  // Copies the elements to `out`.
  void copy_elements(std::vector<std::uint64_t>& out) const;
};

// Bytes of an item in the log (docs/formats/index.md); a run stores blocks of items (ItemPacker).
[[nodiscard]] std::string pack_item(const IndexItem& item);
// The inverse of pack_item(): an item that refers to the bytes; nullopt if they are invalid.
// `components`: number of components in the plan.
[[nodiscard]] std::optional<IndexItem> unpack_item(std::string_view bytes, std::size_t components);

// Key by which an item is found from its name, and that of a run before version 3, which has
// kShorterNameKeys more bits.
[[nodiscard]] std::uint64_t name_key(std::string_view name) noexcept;
[[nodiscard]] std::uint64_t long_name_key(std::string_view name) noexcept;
inline constexpr unsigned kShorterNameKeys = 16;

}  // namespace sosie
