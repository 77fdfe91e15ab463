#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Maximum number of parts in a match.
inline constexpr std::uint32_t kMostParts = 4096;

// A part of the match of a run: the band keys are divided into `count` ranges, of which this is
// number `index` (counted from 0).
struct MatchPart {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

// Parses "3/8", the third of eight parts; nullopt for any other text.
[[nodiscard]] std::optional<MatchPart> parse_part(std::string_view text);

// The part as it is written for --part: "3/8".
[[nodiscard]] std::string part_text(const MatchPart& part);

}  // namespace sosie
