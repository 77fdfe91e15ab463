#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// A kind of items (--kind): its bit in a mask of kinds, the noun for an item, and the noun for the
// part that is missing from a row with nothing to compare.
struct Kind {
  std::string_view name;
  KindBit bit;
  std::string_view item;
  std::string_view part;
};

inline constexpr KindBit kTextItems{1};
inline constexpr KindBit kSetItems{2};
inline constexpr KindBit kBagItems{4};
inline constexpr KindBit kVectorItems{8};
inline constexpr KindBit kBitItems{16};
inline constexpr KindBit kStringItems{32};
inline constexpr KindBit kRecordItems{64};  // compared field by field, by rules

inline constexpr std::array kItemKinds = {Kind{"text", kTextItems, "text", "shingle"},
                                          Kind{"sets", kSetItems, "set", "element"},
                                          Kind{"bags", kBagItems, "bag", "element"},
                                          Kind{"vectors", kVectorItems, "vector", "vector"},
                                          Kind{"bits", kBitItems, "bit string", "bit"},
                                          Kind{"strings", kStringItems, "string", "string"},
                                          Kind{"records", kRecordItems, "record", "field"}};
inline constexpr Kind kAnyItems{"", KindBit{}, "item", "item"};

// The kind with this name; none if there is none.
[[nodiscard]] constexpr KindBit kind_called(std::string_view name) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return found == kItemKinds.end() ? KindBit{} : found->bit;
}

// The table row of a kind; if no kind is given, the row for items in general.
[[nodiscard]] constexpr const Kind& row_of_kind(KindBit bit) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.bit == bit; });
  return found == kItemKinds.end() ? kAnyItems : *found;
}
[[nodiscard]] constexpr std::string_view kind_name(KindBit kind) noexcept {
  return row_of_kind(kind).name;
}
// The noun for an item of this kind in messages, and the noun for the part that is missing from a
// row with nothing to compare.
[[nodiscard]] constexpr std::string_view item_name(KindBit kind) noexcept {
  return row_of_kind(kind).item;
}
[[nodiscard]] constexpr std::string_view part_name(KindBit kind) noexcept {
  return row_of_kind(kind).part;
}

// Kinds that are compared as sets, and kinds whose items are held in memory.
inline constexpr KindBit kAsSets = kTextItems | kSetItems | kBagItems;
inline constexpr KindBit kInMemory = kVectorItems | kBitItems | kStringItems;

// If the options give no kind, the rows are texts.
[[nodiscard]] constexpr KindBit told_kind(KindBit kind) noexcept {
  return kind == KindBit{} ? kTextItems : kind;
}

}  // namespace sosie
