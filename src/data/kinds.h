#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sosie {

// A kind of items (--kind), its bit in a mask of kinds, and what one item is called.
struct Kind {
  std::string_view name;
  unsigned bit;
  std::string_view item;
};

inline constexpr unsigned kTextItems = 1;
inline constexpr unsigned kSetItems = 2;
inline constexpr unsigned kBagItems = 4;
inline constexpr unsigned kVectorItems = 8;
inline constexpr unsigned kBitItems = 16;
inline constexpr unsigned kStringItems = 32;
inline constexpr unsigned kRecordItems = 64;  // compared field by field, by rules

inline constexpr std::array kItemKinds = {
    Kind{"text", kTextItems, "text"},       Kind{"sets", kSetItems, "set"},
    Kind{"bags", kBagItems, "bag"},         Kind{"vectors", kVectorItems, "vector"},
    Kind{"bits", kBitItems, "bit string"},  Kind{"strings", kStringItems, "string"},
    Kind{"records", kRecordItems, "record"}};

// The bit of the kind that is called `name`; 0 when there is none.
[[nodiscard]] constexpr unsigned kind_bit(std::string_view name) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return found == kItemKinds.end() ? 0 : found->bit;
}

// One item of the kind that is called `name`, as messages name it.
[[nodiscard]] constexpr std::string_view item_name(std::string_view name) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return found == kItemKinds.end() ? "item" : found->item;
}

}  // namespace sosie
