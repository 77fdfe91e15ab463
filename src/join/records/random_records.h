#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/level_patterns.h"
#include "data/record_table.h"
#include "data/scored_link.h"
#include "join/records/record_comparer.h"

namespace sosie {

// Random pairs of records with their comparisons: they show how much strangers agree.
class RandomRecordPairs {
 public:
  RandomRecordPairs() = default;
  // Samples and compares 200,000 pairs, or all pairs if there are fewer. Does not depend on
  // threads. Throws Error{cancelled}.
  RandomRecordPairs(const RecordTable& table, const RecordComparer& comparer, ThreadPool& pool);

  // Patterns of the pairs that are not among `candidates`, which are sorted by (left, right).
  [[nodiscard]] LevelPatterns without(std::span<const PatternPair> candidates) const;

  // Shares of the levels of the compared fields among random pairs, by field and level. Shares of
  // equal values are counted over all pairs, because they are too rare to be observed in a sample.
  [[nodiscard]] std::vector<std::vector<double>> level_shares(
      const RecordTable& table, const RecordComparer& comparer,
      std::span<const std::uint32_t> compared) const;

 private:
  LevelPatterns patterns_;
  std::vector<PatternPair> pairs_;  // sorted by (left, right)
};

// Number of pairs of records: across two collections, or within one.
[[nodiscard]] double all_pairs_of(const RecordTable& table);

// Share of equal values among all pairs of values of a column. `copied`: number of pairs of records
// that are equal in all fields, which are left out.
[[nodiscard]] double equal_share(const RecordTable& table, const RecordColumn& column,
                                 double copied = 0);

}  // namespace sosie
