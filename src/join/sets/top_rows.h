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

// Task of --top where no threshold is given.
struct TopRows {
  const TokenSets& sets;  // by place
  const Items& items;
  const Measure& measure;
  bool across = false;  // rows of OTHER are looked for, else those behind (ordered: all others)
  std::uint64_t most = 1;
};

// Counts of all look-ups: steps along lists of tokens, at most; what a run says beforehand.
[[nodiscard]] std::uint64_t most_steps(const TopRows& task);

// Looked-up pairs, from either side.
struct TopRowCounts {
  std::uint64_t candidates = 0;  // share an element that was looked at
  std::uint64_t verified = 0;    // their shared elements were counted to the end
};

// Adds pairs of items, left < right, each once, among whose rows the `most` most similar ones of
// each left row are; a similarity of 0 makes no pair. Throws Error{cancelled}.
TopRowCounts find_top_rows(const TopRows& task, ThreadPool& pool, const PairMemory& memory,
                           const std::function<void(std::span<const VerifiedPair>)>& take,
                           const std::function<void(std::size_t done)>& progress);

// Below the similarity of any two items that share anything.
inline constexpr Rational kLeastThreshold{1, (std::uint64_t{1} << 31) - 1};

// The similar rows among which those are that --top or --top-pairs asks for without a threshold:
// with --top, at the least threshold; else at the first of a row of falling ones that leaves
// enough. Only pairs of similarity 0 are never found. Sets the run's threshold, which must be one
// that the run may lower.
[[nodiscard]] std::unique_ptr<RowPairCollector> most_similar_rows(SetRun& run);

}  // namespace sosie
