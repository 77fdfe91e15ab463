#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sosie {

// A kind of items (--kind): its bit in a mask of kinds, the word for an item, and the word for the
// part that a row with nothing to compare lacks.
struct Kind {
  std::string_view name;
  unsigned bit;
  std::string_view item;
  std::string_view part;
};

inline constexpr unsigned kTextItems = 1;
inline constexpr unsigned kSetItems = 2;
inline constexpr unsigned kBagItems = 4;
inline constexpr unsigned kVectorItems = 8;
inline constexpr unsigned kBitItems = 16;
inline constexpr unsigned kStringItems = 32;
inline constexpr unsigned kRecordItems = 64;  // compared field by field, by rules

inline constexpr std::array kItemKinds = {Kind{"text", kTextItems, "text", "shingle"},
                                          Kind{"sets", kSetItems, "set", "element"},
                                          Kind{"bags", kBagItems, "bag", "element"},
                                          Kind{"vectors", kVectorItems, "vector", "vector"},
                                          Kind{"bits", kBitItems, "bit string", "bit"},
                                          Kind{"strings", kStringItems, "string", "string"},
                                          Kind{"records", kRecordItems, "record", "field"}};

// The kind with this name; null if there is none.
[[nodiscard]] constexpr const Kind* find_kind(std::string_view name) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return found == kItemKinds.end() ? nullptr : found;
}

// The bit of the kind with this name; 0 if there is none.
[[nodiscard]] constexpr unsigned kind_bit(std::string_view name) noexcept {
  const Kind* kind = find_kind(name);
  return kind == nullptr ? 0 : kind->bit;
}

// The word for an item of this kind in messages, and the word for the part that a row with nothing
// to compare lacks.
[[nodiscard]] constexpr std::string_view item_name(std::string_view name) noexcept {
  const Kind* kind = find_kind(name);
  return kind == nullptr ? "item" : kind->item;
}
[[nodiscard]] constexpr std::string_view part_name(std::string_view name) noexcept {
  const Kind* kind = find_kind(name);
  return kind == nullptr ? "item" : kind->part;
}

}  // namespace sosie
