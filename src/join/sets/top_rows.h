#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/thread_pool.h"
#include "corpus/identical.h"
#include "data/measure.h"
#include "data/token_sets.h"
#include "join/pair_selection.h"
#include "join/sets/row_pair_collector.h"

namespace sosie {

class SetRun;

// The task of --top if there is no threshold.
struct TopRows {
  const TokenSets& sets;  // by place
  const Items& items;
  const Measure& measure;
  bool across = false;  // partners are rows of OTHER, else later rows (ordered: all others)
  std::uint64_t most = 1;
};

// Maximum number of steps along token lists in all look-ups together; used in the announcement of a
// run.
[[nodiscard]] std::uint64_t most_steps(const TopRows& task);

// Numbers of pairs that look-ups considered; a pair may be counted from both sides.
struct TopRowCounts {
  std::uint64_t candidates = 0;  // share an element that was read
  std::uint64_t verified = 0;    // all shared elements were counted
};

// Adds pairs of items, left < right, without duplicates, among which are the `most` most similar
// rows of each left row; a similarity of 0 does not make a pair. Throws Error{cancelled}.
TopRowCounts find_top_rows(const TopRows& task, ThreadPool& pool, const PairMemory& memory,
                           const std::function<void(std::span<const VerifiedPair>)>& take,
                           const std::function<void(std::size_t done)>& progress);

// A threshold below the similarity of any two items that share an element.
inline constexpr Rational kLeastThreshold{1, (std::uint64_t{1} << 31) - 1};

// Finds similar rows, among them all rows that --top or --top-pairs requests without a threshold:
// with --top, by joining with the lowest threshold; otherwise with the first of a series of
// decreasing thresholds that leaves enough pairs. Only pairs with similarity 0 are never found.
// Sets the threshold of the run, which must permit lowering it.
[[nodiscard]] std::unique_ptr<RowPairCollector> most_similar_rows(SetRun& run);

}  // namespace sosie
