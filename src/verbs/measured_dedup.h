#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "corpus/item_rows.h"
#include "decide/measured_audit.h"
#include "decide/ranked_star.h"
#include "join/hashed_pairs.h"
#include "join/measured_pairs.h"
#include "report/measured_summary.h"

namespace sosie {

// A dedup run on vectors or bit strings whose items have been read: row r of `places` is item r.
struct MeasuredDedup {
  const Options& options;
  const RunHooks& hooks;
  const Settings& settings;
  ThreadPool& pool;
  ItemPlaces& places;
  BoundFacts facts;
  // Equal for equal items; lives as long as the items.
  std::function<std::string_view(RowId)> bytes_of;
  // All pairs that reach the bound: of one of `lefts` with one of `rights`, or of two of `rows`.
  // Both return how many pairs were measured.
  std::function<std::uint64_t(std::span<const RowId> lefts, std::span<const RowId> rights,
                              const EachPairs& each)>
      between;
  std::function<std::uint64_t(std::span<const RowId> rows, const EachPairs& each)> within;
  // For --audit, see AuditedRun.
  Rational bound;
  PairsBetween truth;
  MeasurePair measure;
  std::function<double(RowId left, RowId right)> value;  // of any two items
  bool leaves_nothing_out = false;                       // `between` is as the truth
  Place most_at_once = kStarBatch;                       // places compared with survivors at a time
};

// What a run keeps in memory of each row besides the items: where it lies, its rank, its survivor.
inline constexpr std::uint64_t kDedupRowBytes = 80;

// Makes `run` find its pairs by a join such as VectorLsh::join(), of which each has a cost for
// every row: so places are taken in few batches. `sort_bytes`: memory for found pairs.
void join_by_hashes(const decltype(HashedJoin::join)& join, std::uint64_t sort_bytes,
                    MeasuredDedup& run);

// Throws Error{invalid_option} for options of dedup that say nothing of such items.
void check_dedup_options(const Options& options, const Settings& settings, std::string_view kind);

// Ranks the items, collapses equal ones, clusters the others and writes what the options name.
// `summary`: what is known of the items and the method; `ids`: of the run's own and of --against.
[[nodiscard]] RunReport write_measured_dedup(const MeasuredDedup& run, const ItemIds& ids,
                                             const ItemIds& against_ids, MeasuredSummary summary);

}  // namespace sosie
