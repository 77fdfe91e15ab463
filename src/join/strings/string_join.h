#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "io/scratch.h"
#include "join/scored_pairs.h"
#include "options/bounds.h"
#include "verify/edit_pattern.h"

namespace sosie {

// Plan of an exact join of strings: its generators of candidates and their predicted cost.
struct StringJoinPlan {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  bool brute = false;  // every pair is measured
  // Unless brute: pairs whose shorter string has so many symbols share a segment (PassJoin), pairs
  // below share a string that is left of both by deletions. 0: all by segments; kNever: none.
  std::uint32_t segments_from = kNever;
  double checks = 0;       // pairs that are measured or told apart by their signatures
  double nanoseconds = 0;  // CPU time of one core
  double found = 0;        // pairs that reach the bound, by a sample
  double key_bytes = 0;    // the most at a time
  std::string line;        // for the summary: "exact: ..."
  std::string reason;      // for `plan`: why this method
};

struct StringJoinTask {
  const StringColumn* column = nullptr;
  JoinSides sides;
  EditBound bound = {};
  bool brute = false;       // every pair is measured
  std::uint64_t limit = 0;  // pairs that may be found; 0: any number
  // Pairs of a left row with equal right ones that may be wanted.
  std::uint64_t most_equal = std::numeric_limits<std::uint64_t>::max();
  BoundFacts facts = {};  // for the error when there are more
  Scratch* scratch = nullptr;
  std::uint64_t memory_bytes = 0;             // that the run may take
  SortedPairs<ScoredPair>::Prune prune = {};  // drops pairs that are not wanted
  std::optional<StringJoinPlan> plan = {};    // none: plan_join()
};

struct StringJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured
};

// Chooses the method from the lengths and a sample of the strings, whatever memory and threads
// there are. O(rows) time.
[[nodiscard]] StringJoinPlan plan_join(const StringJoinTask& task);

// Hands over every pair that reaches the bound, in blocks, sorted by (left, right); rows of the
// column. Values are distances, or similarities where the bound is one. Equal strings are joined as
// one, and their pairs are made as they are handed over: memory and scratch grow with the rows of
// equal strings, not with their pairs. Throws Error{cancelled}; Error{limit_exceeded} when more
// than task.limit pairs are found, before any is handed over.
StringJoinCounts join_strings(const StringJoinTask& task, ThreadPool& pool, const EachPairs& each);

}  // namespace sosie
