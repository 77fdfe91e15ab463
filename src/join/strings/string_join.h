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

// The plan of an exact join of strings: how candidates are generated, and the predicted cost.
struct StringJoinPlan {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  bool brute = false;  // every pair is measured
  // Unless brute: two strings, the shorter of which has at least this many symbols, share a segment
  // if they are a pair (PassJoin); if it is shorter, they share a string that results from
  // deletions in both. 0: segments find all pairs; kNever: none.
  std::uint32_t segments_from = kNever;
  double checks = 0;       // pairs that are measured or excluded by their signatures
  double nanoseconds = 0;  // CPU time on one core
  double found = 0;        // pairs that reach the bound, estimated from a sample
  double key_bytes = 0;    // maximum at any time
  std::string line;        // for the summary: "exact: ..."
  std::string reason;      // for `plan`: reason for this method
};

struct StringJoinTask {
  const StringColumn* column = nullptr;
  JoinSides sides;
  EditBound bound = {};
  bool brute = false;       // every pair is measured
  std::uint64_t limit = 0;  // maximum number of pairs; 0: no limit
  // Maximum number of pairs needed of a left row with equal right ones.
  std::uint64_t most_equal = std::numeric_limits<std::uint64_t>::max();
  BoundFacts facts = {};  // for the error above the limit
  Scratch* scratch = nullptr;
  std::uint64_t memory_bytes = 0;             // memory of the run
  SortedPairs<ScoredPair>::Prune prune = {};  // drops unneeded pairs
  std::optional<StringJoinPlan> plan = {};    // none: plan_join()
};

struct StringJoinCounts {
  std::uint64_t candidates = 0;  // pairs that were measured
};

// Chooses the method from the lengths and a sample of the strings; memory and threads play no role.
// O(rows) time.
[[nodiscard]] StringJoinPlan plan_join(const StringJoinTask& task);

// Reports every pair that reaches the bound, in blocks, sorted by (left, right), as rows of the
// column. Values are distances, or similarities if the bound is a similarity. Equal strings are
// joined as one, and their pairs are generated only when they are reported, so that memory and
// scratch grow with the number of rows with equal strings, not with the number of their pairs.
// Throws Error{cancelled}, and Error{limit_exceeded} if more than task.limit pairs are found,
// before any of them is reported.
StringJoinCounts join_strings(const StringJoinTask& task, ThreadPool& pool, const EachPairs& each);

}  // namespace sosie
