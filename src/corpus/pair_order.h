#pragma once

#include <cstdint>

namespace sosie {

// Order of the pairs of one left row.
enum class PairOrder : std::uint8_t {
  input,       // by right row
  best_first,  // the most similar first; ties: by right row
};

// Counts of written pairs.
struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t lefts = 0;  // rows that are the left one of a pair
};

}  // namespace sosie
