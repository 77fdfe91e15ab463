#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/rational.h"
#include "core/thread_pool.h"
#include "data/buckets.h"
#include "data/run_summary.h"
#include "join/hashed_join.h"
#include "join/in_memory_joiner.h"
#include "join/scored_pairs.h"
#include "options/settings.h"
#include "sosie/join.h"

namespace sosie {

// Bytes that an audit keeps of each row that is a partner, while it groups them.
inline constexpr std::uint64_t kAuditRowBytes = 40;

// All pairs of one of `lefts` with one of `rights` that reach the bound, by positions, in blocks of
// any order, from several workers at a time.
using PairsBetween =
    std::function<void(std::span<const std::uint32_t> lefts, std::span<const std::uint32_t> rights,
                       const std::function<void(std::span<const ScoredPair>)>&)>;

// A run on vectors or bit strings as --audit looks at it.
struct AuditedRun {
  const Options& options;
  const Settings& settings;
  const RunHooks& hooks;
  ThreadPool& pool;
  BoundFacts facts;
  Bound bound;
  RowRange own;       // rows of the run, some of which are drawn
  RowRange partners;  // with which they are compared; `own`, or rows in front or behind as well
  std::function<std::string_view(std::size_t row)> bytes_of;  // equal for equal items
  PairsBetween truth;                                         // leaves nothing out
  PairsBetween found;   // pairs that the run finds; empty if the run is the exact join
  MeasurePair measure;  // the value of a pair that reaches the bound; nothing of others
};

// Whom an audited run works for.
struct AuditCaller {
  const Options& options;
  const RunHooks& hooks;
  ThreadPool& pool;
};

// Choice of the two joins that are compared: a run that hashes with an exact join, an exact run
// with all pairs measured. The joiner has been prepared; it and all of `caller` outlive the audit.
[[nodiscard]] AuditedRun audited_join(const InMemoryJoiner& joiner, const AuditCaller& caller,
                                      const RowRange& partners);

// Recall and precision of such a run, measured on its own data: options.audit of its rows are
// drawn, and all their pairs are found in both ways. See audit_dedup() for texts; recall, slice and
// precision mean the same here.
class ItemAudit {
 public:
  explicit ItemAudit(const AuditedRun& run);

  // Takes note of a pair that the run reports. From one thread.
  void add_reported(std::uint32_t left, std::uint32_t right);

  // Time: of joining the drawn rows with all partners, twice. Throws Error{cancelled}.
  [[nodiscard]] AuditFacts measure();

 private:
  // Rows that are equal, as one.
  struct Group {
    std::uint32_t first;
    std::uint64_t rows;
  };
  struct Tally {
    std::uint64_t all = 0;
    std::uint64_t slice = 0;
  };

  [[nodiscard]] bool is_own(std::uint32_t row) const noexcept {
    return row >= run_.own.begin && row < run_.own.end;
  }
  [[nodiscard]] bool is_in_slice(double value) const noexcept {
    return run_.facts.is_similarity ? value < facts_.slice_end : value > facts_.slice_end;
  }
  void group_partners();
  [[nodiscard]] std::vector<Tally> tally(const PairsBetween& between) const;

  AuditedRun run_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::vector<std::uint32_t> sample_;
  std::vector<bool> is_sampled_;  // by own row
  std::vector<Group> partners_;
  std::vector<std::uint32_t> group_of_sample_;  // in partners_; kNoPlace: in none
  AuditFacts facts_;
};

}  // namespace sosie
