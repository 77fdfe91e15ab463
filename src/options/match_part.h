#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Most parts that a matching is shared out to.
inline constexpr std::uint32_t kMostParts = 4096;

// A part of the matching of a run: number `index` (from 0) of `count` ranges of the band keys.
struct MatchPart {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

// Reads "3/8", the third part of eight; nothing for what is none.
[[nodiscard]] std::optional<MatchPart> parse_part(std::string_view text);

// Name of a part as --part takes it: "3/8".
[[nodiscard]] std::string part_text(const MatchPart& part);

}  // namespace sosie
