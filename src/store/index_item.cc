// Items of an index on disk, as bytes.
#include "store/index_item.h"

#include <xxhash.h>

#include <cstring>

#include "store/key_blocks.h"

namespace sosie {
namespace {

constexpr std::uint8_t kNamed = 1;
constexpr std::uint8_t kInteger = 2;
constexpr std::uint8_t kKept = 4;
constexpr std::uint8_t kFields = 8;
constexpr std::uint8_t kAllFlags = 15;

void put_number(std::uint64_t number, std::string& out) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
}

template <class T>
void put(const T& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Takes an item's bytes from front to back; once some are missing, nothing is right any more.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

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
  [[nodiscard]] bool ends_well() const noexcept { return right_ && rest_.empty(); }
  void expect(bool holds) noexcept { right_ &= holds; }

 private:
  std::string_view rest_;
  bool right_ = true;
};

}  // namespace

void IndexItem::copy_elements(std::vector<std::uint64_t>& out) const {
  out.resize(elements.size() / sizeof(std::uint64_t));
  if (!out.empty()) std::memcpy(out.data(), elements.data(), elements.size());
}

std::string pack_item(const IndexItem& item) {
  std::string out;
  out += static_cast<char>((item.is_named ? kNamed : 0) | (item.id_is_integer ? kInteger : 0) |
                           (item.is_kept ? kKept : 0) | (item.fields.empty() ? 0 : kFields));
  put_number(item.number, out);
  if (item.is_named) {
    put_number(item.id.size(), out);
    out += item.id;
  }
  if (!item.fields.empty()) {
    put_number(item.fields.size(), out);
    out += item.fields;
  }
  put_number(item.size, out);
  if (item.size == 0) return out;
  put(item.hash.high, out);
  put(item.hash.low, out);
  out += item.filter;
  if (item.is_kept) {
    out += item.elements;
    return out;
  }
  put_number(item.locator.file, out);
  put_number(item.locator.offset, out);
  put_number(item.locator.length, out);
  return out;
}

std::optional<IndexItem> unpack_item(std::string_view bytes, std::size_t components) {
  Taker in(bytes);
  IndexItem item;
  const auto flags = in.plain<std::uint8_t>();
  in.expect(flags <= kAllFlags);
  item.is_named = (flags & kNamed) != 0;
  item.id_is_integer = (flags & kInteger) != 0;
  item.is_kept = (flags & kKept) != 0;
  in.expect(item.is_named || !item.id_is_integer);
  item.number = in.number();
  if (item.is_named) item.id = in.bytes(in.number());
  if ((flags & kFields) != 0) {
    item.fields = in.bytes(in.number());
    in.expect(!item.fields.empty());
  }
  item.size = in.small_number();
  if (item.size > 0) {
    item.hash.high = in.plain<std::uint64_t>();
    item.hash.low = in.plain<std::uint64_t>();
    item.filter = in.bytes(components);
    if (item.is_kept) {
      item.elements = in.bytes(std::uint64_t{item.size} * sizeof(std::uint64_t));
    } else {
      item.locator.file = in.small_number();
      item.locator.offset = in.number();
      item.locator.length = in.small_number();
    }
  }
  if (!in.ends_well()) return std::nullopt;
  return item;
}

std::uint64_t name_key(std::string_view name) noexcept {
  return XXH3_64bits(name.data(), name.size()) >> (64 - kMostKeyBits);
}

}  // namespace sosie
