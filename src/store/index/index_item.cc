// Serialises items of an index on disk.
#include "store/index/index_item.h"

#include <xxhash.h>

#include "data/index_layout.h"
#include "store/index/key_blocks.h"

namespace sosie {
namespace {

constexpr std::uint8_t kNamed = 1;
constexpr std::uint8_t kInteger = 2;
constexpr std::uint8_t kKept = 4;
constexpr std::uint8_t kFields = 8;
constexpr std::uint8_t kAllFlags = 15;
constexpr std::size_t kMostPlainBytes = 80;  // numbers and the hash

template <class T>
void put(const T& value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

void IndexItem::copy_elements(std::vector<std::uint64_t>& out) const {
  out.resize(elements.size() / sizeof(std::uint64_t));
  if (!out.empty()) std::memcpy(out.data(), elements.data(), elements.size());
}

std::string pack_item(const IndexItem& item) {
  std::string out;
  out.reserve(kMostPlainBytes + item.id.size() + item.fields.size() + item.filter.size() +
              item.elements.size());
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
  ItemBytes in(bytes);
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
  return long_name_key(name) >> kShorterNameKeys;
}

std::uint64_t long_name_key(std::string_view name) noexcept {
  return XXH3_64bits(name.data(), name.size()) >> (64 - IndexLayout::kMostKeyBits);
}

}  // namespace sosie
