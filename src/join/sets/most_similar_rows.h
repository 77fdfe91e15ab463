#pragma once

#include <memory>

#include "join/sets/set_run.h"

namespace sosie {

// Below the similarity of any two items that share anything.
inline constexpr Rational kLeastThreshold{1, (std::uint64_t{1} << 31) - 1};

// The similar rows among which those are that --top or --top-pairs asks for without a threshold:
// with --top, at the least threshold; else at the first of a row of falling ones that leaves
// enough. Only pairs of similarity 0 are never found. Sets the run's threshold, which must be one
// that the run may lower.
[[nodiscard]] std::unique_ptr<RowPairCollector> most_similar_rows(SetRun& run);

}  // namespace sosie
