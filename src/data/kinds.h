#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace sosie {

// A kind of items (--kind), and its bit in a mask of kinds.
struct Kind {
  std::string_view name;
  unsigned bit;
};

inline constexpr unsigned kTextItems = 1;
inline constexpr unsigned kSetItems = 2;
inline constexpr unsigned kBagItems = 4;
inline constexpr unsigned kVectorItems = 8;
inline constexpr unsigned kBitItems = 16;

inline constexpr std::array kItemKinds = {Kind{"text", kTextItems}, Kind{"sets", kSetItems},
                                          Kind{"bags", kBagItems}, Kind{"vectors", kVectorItems},
                                          Kind{"bits", kBitItems}};

// The bit of the kind that is called `name`; 0 when there is none.
[[nodiscard]] constexpr unsigned kind_bit(std::string_view name) noexcept {
  const auto* found = std::find_if(kItemKinds.begin(), kItemKinds.end(),
                                   [&](const Kind& kind) { return kind.name == name; });
  return found == kItemKinds.end() ? 0 : found->bit;
}

}  // namespace sosie
