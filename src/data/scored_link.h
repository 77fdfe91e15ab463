#pragma once

#include <compare>
#include <cstdint>

namespace sosie {

// Two records that may describe the same entity. Within a single collection, left < right.
struct RecordPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;

  // Ordered by (left, right).
  friend auto operator<=>(const RecordPair&, const RecordPair&) = default;
};

// A scored pair of records. Lists are sorted by (left, right); within a single collection, left <
// right.
struct ScoredLink {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  double score = 0;        // match weight in bits (log2), or a similarity
  double probability = 0;  // probability that both records belong to the same entity

  [[nodiscard]] RecordPair pair() const noexcept { return {left, right}; }
};

// A candidate pair, the rules that found it, and the number of its pattern in LevelPatterns.
struct PatternPair {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t rules = 0;
  std::uint32_t pattern = 0;
};

}  // namespace sosie
