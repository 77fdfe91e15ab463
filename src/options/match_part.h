#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sosie {

// Maximum number of parts of a matching.
inline constexpr std::uint32_t kMostParts = 4096;

// A part of the matching of a run: range number `index` (from 0) of `count` ranges of the band
// keys.
struct MatchPart {
  std::uint32_t index = 0;
  std::uint32_t count = 1;
};

// Reads "3/8", the third part of eight; nullopt for other texts.
[[nodiscard]] std::optional<MatchPart> parse_part(std::string_view text);

// A part in the form for --part: "3/8".
[[nodiscard]] std::string part_text(const MatchPart& part);

}  // namespace sosie
