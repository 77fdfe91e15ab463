#pragma once

#include <cstdint>

namespace sosie {

// How the pairs of one left row follow each other.
enum class PairOrder : std::uint8_t {
  input,       // by right row
  best_first,  // the most similar first; ties: by right row
};

// What was written.
struct PairCounts {
  std::uint64_t pairs = 0;
  std::uint64_t lefts = 0;  // rows that are the left one of a pair
};

}  // namespace sosie
