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

// Random pairs of records and their comparisons, which show how far unrelated records agree.
class RandomRecordPairs {
 public:
  RandomRecordPairs() = default;
  // Samples and compares 200,000 pairs, or all pairs if there are fewer. The sample does not depend
  // on the number of threads. Throws Error{cancelled}.
  RandomRecordPairs(const RecordTable& table, const RecordComparer& comparer, ThreadPool& pool);

  // The patterns of the pairs that are not among `candidates`, which must be sorted by (left,
  // right).
  [[nodiscard]] LevelPatterns without(std::span<const PatternPair> candidates) const;

  // Shares of the levels of the compared fields among random pairs, by field and level. For equal
  // values, the share is counted over all pairs, because they are too rare to be observed in a
  // sample.
  [[nodiscard]] std::vector<std::vector<double>> level_shares(
      const RecordTable& table, const RecordComparer& comparer,
      std::span<const std::uint32_t> compared) const;

 private:
  LevelPatterns patterns_;
  std::vector<PatternPair> pairs_;  // sorted by (left, right)
};

// Number of pairs of records: across two collections, or within one.
[[nodiscard]] double all_pairs_of(const RecordTable& table);

// Share of all pairs of values in a column that are equal. `copied`: number of pairs of records
// that are equal in all fields; these pairs are left out.
[[nodiscard]] double equal_share(const RecordTable& table, const RecordColumn& column,
                                 double copied = 0);

}  // namespace sosie
