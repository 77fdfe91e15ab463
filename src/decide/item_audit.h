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

// Bytes that an audit needs for each partner row while grouping them.
inline constexpr std::uint64_t kAuditRowBytes = 40;

// Finds all pairs of a row in `lefts` and a row in `rights` that reach the bound. Pairs are
// positions; they arrive in blocks in arbitrary order, from several workers concurrently.
using PairsBetween =
    std::function<void(std::span<const std::uint32_t> lefts, std::span<const std::uint32_t> rights,
                       const std::function<void(std::span<const ScoredPair>)>&)>;

// A run over vectors or bit strings, in the form needed by --audit.
struct AuditedRun {
  const Options& options;
  const Settings& settings;
  const RunHooks& hooks;
  ThreadPool& pool;
  BoundFacts facts;
  Bound bound;
  RowRange own;       // rows of the run, some of which are sampled
  RowRange partners;  // rows to compare with: `own`, possibly with rows before or after
  std::function<std::string_view(std::size_t row)> bytes_of;  // equal for equal items
  PairsBetween truth;                                         // complete
  PairsBetween found;   // pairs found by the run; empty if the run is the exact join
  MeasurePair measure;  // the value of a pair if it reaches the bound, else nullopt
};

// The caller of an audited run.
struct AuditCaller {
  const Options& options;
  const RunHooks& hooks;
  ThreadPool& pool;
};

// Selects the two joins to be compared: a hashing run and an exact join, or an exact run and a
// measurement of all pairs. The joiner must be prepared; the joiner and everything in `caller` must
// outlive the audit.
[[nodiscard]] AuditedRun audited_join(const InMemoryJoiner& joiner, const AuditCaller& caller,
                                      const RowRange& partners);

// Measures recall and precision of such a run on its own data: samples options.audit of its rows
// and finds all their pairs with both joins. Recall, slice and precision have the same meaning as
// for texts (audit_dedup()).
class ItemAudit {
 public:
  explicit ItemAudit(const AuditedRun& run);

  // Adds a pair that the run has reported. Not thread-safe.
  void add_reported(std::uint32_t left, std::uint32_t right);

  // Takes as long as joining the sampled rows with all partners twice. Throws Error{cancelled}.
  [[nodiscard]] AuditFacts measure();

 private:
  // Equal rows, which are treated as a single row.
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
  std::vector<std::uint32_t> group_of_sample_;  // in partners_; kNoPlace: none
  AuditFacts facts_;
};

}  // namespace sosie
