#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/columns.h"

namespace sosie {

// The division of all strings of a length into pieces: the ascending positions at which pieces
// begin, followed by the length.
using StringCuts = std::vector<std::uint32_t>;

// Pieces whose lengths differ by at most one, with the longer ones last. There are no more pieces
// than symbols.
[[nodiscard]] StringCuts equal_cuts(std::uint32_t length, std::uint32_t pieces);

// Keeps the number of pieces in `equal` but makes each piece about equally rare among the strings,
// so that a piece in which most strings agree (such as the beginning of an address) extends to
// where they differ. Returns `equal` unless the new cuts at least halve the number of shared pieces
// in the sample `rows`, which must all have the same length.
[[nodiscard]] StringCuts rare_cuts(const StringColumn& column, std::span<const std::uint32_t> rows,
                                   const StringCuts& equal);

// Number of rows that suffice for rare_cuts().
inline constexpr std::uint32_t kCutSample = 128;

}  // namespace sosie
