#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/columns.h"

namespace sosie {

// Divides all strings of a length into pieces: where each piece begins, ascending, then the length.
using StringCuts = std::vector<std::uint32_t>;

// Pieces whose lengths differ by at most one; the last ones are longer. There are no more pieces
// than symbols.
[[nodiscard]] StringCuts equal_cuts(std::uint32_t length, std::uint32_t pieces);

// Keeps the number of pieces of `equal`, but makes each about equally rare among the strings, so
// that a piece on which most strings agree (the beginning of an address) extends to where they
// differ. Returns `equal` unless at most half as many pieces are shared in the sample `rows`, which
// are all of that length.
[[nodiscard]] StringCuts rare_cuts(const StringColumn& column, std::span<const std::uint32_t> rows,
                                   const StringCuts& equal);

// Number of rows that suffice for rare_cuts().
inline constexpr std::uint32_t kCutSample = 128;

}  // namespace sosie
