// Predicts time, memory and scratch of a run.
#include "plan/run_costs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/memory_budget.h"
#include "plan/banding_cost.h"
#include "plan/expected_work.h"
#include "plan/set_bytes.h"

namespace sosie {
namespace {

// Measured constants (see plan/banding_cost.cc): nanoseconds and bytes, fitted to runs on the
// collections of bench/plan_accuracy.py (docs/measurements.md).

// Start and end; read, find rows, parse, write; make shingles, and the extra cost of non-ASCII
// characters; put aside; decompress.
constexpr double kStartNs = 1e7;
constexpr double kByteNs = 0.6;
constexpr double kWordNs = 15;
constexpr double kCharacterNs = 6.4;
constexpr double kForeignNs = 5;
constexpr double kSpooledNs = 6;
constexpr double kGunzipNs = 4;
constexpr double kUnzstdNs = 1.3;
// A row by phase; a row without a signature; the extra cost of a row that goes to scratch.
using PerPhase = std::array<double, kRunPhases.size()>;
constexpr PerPhase kRowNs = {500, 1300, 700, 1100};
constexpr PerPhase kJoinedRowNs = {500, 500, 500, 1100};
// A row that is only looked up in a small collection, and its bytes in addition to those below.
constexpr PerPhase kFilteredRowNs = {150, 25, 25, 25};
constexpr double kFilteredRowBytes = 10;
constexpr double kFilterElementBytes = 30;  // per element of the small collection
constexpr double kFilteredSetBytes = 12;    // in scratch
constexpr PerPhase kSpilledRowNs = {0, 1300, 1500, 900};
// Rows cost more once their columns exceed the caches: so much for each doubling, up to a number of
// doublings. Fitted at 10^6 and 10^7 rows; at 10^8, CPU time was 1.13 times the prediction.
constexpr double kCachedRows = 250e3;
constexpr double kUncachedShare = 0.15;
constexpr double kMostDoublings = 5.3;
// Shares of decompression by phase if compressed files are decompressed three times; otherwise they
// are decompressed once, when they are read.
constexpr PerPhase kUnpackedAgain = {1.0 / 3, 1.0 / 3, 0, 1.0 / 3};
// Draw a sample and read it, up to a number of bytes.
constexpr double kSampleNs = 18;
constexpr double kSampleBytes = 4 << 20;
constexpr std::uint64_t kLeastSample = 128;  // rows
// Compare two signatures, or two sets in memory; rebuild a set from its text.
constexpr double kRowVerifyNs = 900;
constexpr double kRowVerifyShingleNs = 2;  // each shingle of both sets
constexpr double kSetNs = 2000;
constexpr double kSetShingleNs = 25;
// Maximum number of times a row's set is built: after that, it is in memory or the row is removed.
constexpr double kMostSetsOfRow = 2;
constexpr double kMostSetsOfRemoved = 1.6;

// The program, of which a kernel occupies 7 to 11 MB, and a block with its buffers.
constexpr double kProgramBytes = 10e6;
constexpr double kBlockForms = 3;
// A row while the collection is read: locator, state, hashes of text and id. Growing columns have
// some spare capacity; grouping takes as much again.
constexpr double kRowBytes = 41;
constexpr double kSpareCapacity = 1.6;
constexpr double kGroupingForms = 1.77;
// While rows are matched: places, decision, buckets.
constexpr double kMatchedRowBytes = 60;
constexpr double kLeastVerified = 1.0 / 20;  // least part of rows verified: a sample misses rare
                                             // pairs
constexpr double kRowPairBytes = 24;
constexpr double kJoinedElementBytes = 31;
constexpr double kOrderedElementBytes = 32;  // for which there must be room
// An element while rows are read, copies included, and while distinct rows are taken out.
constexpr double kScannedElementBytes = 13;
constexpr double kKeptElementBytes = 8;
// An element that an exact join by ranges sorts and looks up, once for each range.
constexpr double kRangedElementNs = 40;
constexpr double kStoredElementBytes = 16;
constexpr double kSampledElementBytes = 40;
// The longest row: its bytes, its text, and each of its shingles.
constexpr double kRowForms = 2;
constexpr double kShingleBytes = 20;
constexpr double kCharacterShingleBytes = 26;
// If rows do not fit: the share of the memory that may be used, and the size of a row in a batch.
constexpr double kSpilledShare = 0.75;
constexpr double kBatchRowBytes = 400;  // besides two filter signatures
// Bytes of a row in scratch: locator, text hash and id; each key with its row; checksums.
constexpr double kStoredRowBytes = 40.5;
constexpr double kStoredKeyBytes = 5.4;
constexpr double kPageForms = 1.02;
constexpr double kStoredMemberBytes = 2;  // a row of a bucket, in place of its key
constexpr double kBatchedRowBytes = 32;   // a row stored with its batch: locator, text hash
constexpr double kKeptForms = 1.6;        // rows of packed files that are kept, in whole blocks
// Bytes of pages that are read from scratch per row.
constexpr double kCandidatePageBytes = 560;
constexpr double kVerifiedPageBytes = 110;
constexpr double kWrittenPageBytes = 1000;
constexpr double kDecisionBytes = 32;

class Forecast {
 public:
  Forecast(const RowSurvey& survey, const PlannedRun& run) noexcept
      : survey_(survey),
        run_(run),
        rows_(static_cast<double>(survey.rows)),
        shingles_of_row_(static_cast<double>(survey.shingles) / std::max(1.0, rows_)),
        elements_of_row_(static_cast<double>(survey.elements) / std::max(1.0, rows_)),
        kept_rows_(run.partners ? static_cast<double>(run.partners->rows) : rows_),
        kept_elements_(run.partners ? static_cast<double>(run.partners->elements)
                                    : static_cast<double>(survey.elements)),
        distinct_rows_(rows_ - static_cast<double>(survey.copied_rows)),
        joined_elements_(run.partners
                             ? kept_elements_
                             : kept_elements_ - static_cast<double>(survey.copied_elements)),
        work_(expected_work(survey, run)) {}

  [[nodiscard]] RunCosts costs() const noexcept {
    RunCosts costs;
    costs.spills = spills();
    if (is_lsh()) costs.sketch_seconds = sketch_ns() / 1e9;
    add_times(costs);
    add_peaks(costs);
    add_scratch(costs);
    add_traffic(costs);
    double peak = 0;
    double scratch = 0;
    for (const PhaseCosts& phase : costs.phases) {
      costs.cpu_seconds += phase.cpu_seconds;
      peak = std::max(peak, phase.peak_bytes);
      scratch = std::max(scratch, phase.scratch_bytes);
    }
    costs.peak_bytes = static_cast<std::uint64_t>(std::min(kMostOfSurvey, peak));
    costs.scratch_bytes = static_cast<std::uint64_t>(std::min(kMostOfSurvey, scratch));
    return costs;
  }

  [[nodiscard]] double sketch_ns() const noexcept {
    const PerPhase& row_ns = is_lsh() ? kRowNs : kJoinedRowNs;
    return parsing_ns() + unpacking_ns() + signing_ns() +
           rows_ * uncached() * (row_ns[0] + row_ns[1] + row_ns[2] + row_ns[3]);
  }

 private:
  [[nodiscard]] double uncached() const noexcept {
    const double doublings = std::log2(std::max(1.0, kept_rows_ / kCachedRows));
    return 1 + kUncachedShare * std::min(doublings, kMostDoublings);
  }

  void add_times(RunCosts& costs) const noexcept {
    const PerPhase& row_ns = is_lsh() ? kRowNs : kJoinedRowNs;
    for (std::size_t i = 0; i < costs.phases.size(); ++i) {
      const double unpacked = unpacks_again() ? kUnpackedAgain[i] : i == 0 ? 1 : 0;
      const double row = uncached() * (row_ns[i] + (costs.spills ? kSpilledRowNs[i] : 0));
      const double rows_ns = kept_rows_ * row + (rows_ - kept_rows_) * kFilteredRowNs[i];
      costs.phases[i].cpu_seconds = (rows_ns + unpacked * unpacking_ns()) / 1e9;
    }
    of(costs, RunPhase::reading).cpu_seconds +=
        (parsing_ns() + (is_lsh() ? signing_ns() : 0)) / 1e9;
    if (is_lsh()) {
      of(costs, RunPhase::verifying).cpu_seconds += verifying_ns() / 1e9;
    } else {
      of(costs, RunPhase::candidates).cpu_seconds += run_.join_seconds + ranges_ns() / 1e9;
    }
  }

  void add_peaks(RunCosts& costs) const noexcept {
    const bool in_scratch = costs.spills && (run_.partners || peak_in_scratch() < peak_in_memory());
    of(costs, RunPhase::reading).peak_bytes =
        in_scratch ? scanning_in_scratch() : fixed_bytes() + std::max(sample_bytes(), kept_rows());
    of(costs, RunPhase::candidates).peak_bytes =
        in_scratch ? scanning_in_scratch() : fixed_bytes() + grouped_rows();
    of(costs, RunPhase::verifying).peak_bytes =
        in_scratch ? matching_in_scratch() : fixed_bytes() + matching_bytes();
    of(costs, RunPhase::writing).peak_bytes =
        in_scratch ? fixed_bytes() + rows_ / 2 : fixed_bytes() + rows_ * kMatchedRowBytes;
  }

  void add_scratch(RunCosts& costs) const noexcept {
    const auto spooled = static_cast<double>(survey_.spooled_bytes);
    for (PhaseCosts& phase : costs.phases) phase.scratch_bytes = spooled;
    const double later =
        at_hand_bytes() +
        (!costs.spills ? 0
         : is_exact()  ? kStoredElementBytes / 2 * (kept_elements_ + joined_elements_) +
                            rows_ * stored_place_bytes()
                      : rows_ * kPageForms * (kStoredRowBytes + filter_bytes()) + batched_bytes());
    const double first =
        !costs.spills ? 0
        : is_exact()  ? kStoredElementBytes / 2 * kept_elements_ + rows_ * stored_place_bytes()
                      : rows_ * stored_row_bytes();
    of(costs, RunPhase::reading).scratch_bytes += first;
    of(costs, RunPhase::candidates).scratch_bytes += std::max(first, later);
    of(costs, RunPhase::verifying).scratch_bytes += later;
    of(costs, RunPhase::writing).scratch_bytes += later;
  }

  void add_traffic(RunCosts& costs) const noexcept {
    const auto stored = static_cast<double>(survey_.stored_bytes);
    const double pages = costs.spills ? rows_ : 0;
    const double texts =
        2 * work_.far.pairs * static_cast<double>(survey_.bytes) / std::max(1.0, rows_);
    PhaseCosts& reading = of(costs, RunPhase::reading);
    reading.read_bytes = stored;
    reading.written_bytes = reading.scratch_bytes;
    PhaseCosts& candidates = of(costs, RunPhase::candidates);
    candidates.read_bytes =
        pages * kCandidatePageBytes + (unpacks_again() && costs.spills ? 2 * stored : 0);
    candidates.written_bytes = at_hand_bytes() + (costs.spills && is_lsh() ? batched_bytes() : 0);
    PhaseCosts& verifying = of(costs, RunPhase::verifying);
    verifying.read_bytes = pages * kVerifiedPageBytes + (is_lsh() ? texts : 0);
    verifying.written_bytes = costs.spills ? shared_rows() * kDecisionBytes : 0;
    PhaseCosts& writing = of(costs, RunPhase::writing);
    writing.read_bytes = pages * kWrittenPageBytes + (unpacks_again() ? stored : 0);
    if (survey_.gunzipped_bytes + survey_.unzstd_bytes == 0) writing.read_bytes += stored;
    writing.written_bytes = stored;
  }

  [[nodiscard]] static PhaseCosts& of(RunCosts& costs, RunPhase phase) noexcept {
    return costs.phases[static_cast<std::size_t>(phase)];
  }

  [[nodiscard]] bool unpacks_again() const noexcept { return survey_.unkept_bytes > 0; }

  // Number of rows that share a bucket: estimated from the pairs seen, otherwise few.
  [[nodiscard]] double shared_rows() const noexcept {
    const bool seen = work_.near.pairs + work_.far.pairs > 0;
    return seen ? work_.verified_rows : kLeastVerified * distinct_rows_;
  }

  // Rows that are stored with their batch, and their buckets.
  [[nodiscard]] double batched_bytes() const noexcept {
    return shared_rows() * (kBatchedRowBytes + filter_bytes() +
                            kStoredMemberBytes * static_cast<double>(run_.banding.bands));
  }

  // Rows of compressed files that are kept in scratch because they are read again.
  [[nodiscard]] double at_hand_bytes() const noexcept {
    const double share = kKeptForms * shared_rows() / std::max(1.0, rows_);
    return std::min(1.0, share) * static_cast<double>(survey_.unkept_bytes);
  }

  [[nodiscard]] bool is_lsh() const noexcept { return run_.method == Method::lsh; }
  [[nodiscard]] bool is_exact() const noexcept { return run_.method == Method::exact; }

  [[nodiscard]] bool draws_sample() const noexcept { return is_lsh() || run_.chooses_method; }

  // Start, read, find rows, split texts into tokens.
  [[nodiscard]] double parsing_ns() const noexcept {
    const double token_ns = run_.by_characters ? kCharacterNs : kWordNs;
    return kStartNs + static_cast<double>(survey_.bytes) * kByteNs +
           static_cast<double>(survey_.tokens) * token_ns +
           static_cast<double>(survey_.foreign_bytes) * kForeignNs +
           static_cast<double>(survey_.spooled_bytes) * kSpooledNs +
           (draws_sample() ? std::min(kSampleBytes, static_cast<double>(survey_.bytes)) : 0) *
               kSampleNs;
  }

  [[nodiscard]] double unpacking_ns() const noexcept {
    return static_cast<double>(survey_.gunzipped_bytes) * kGunzipNs +
           static_cast<double>(survey_.unzstd_bytes) * kUnzstdNs;
  }

  // Sets rebuilt from their texts; sets of rows that are read again soon are still in
  // memory.
  [[nodiscard]] double making_ns() const noexcept {
    const double wanted = 2 * work_.far.pairs;
    const double most = run_.use == JoinUse::survivors ? kMostSetsOfRemoved : kMostSetsOfRow;
    const double made = std::min(wanted, most * work_.verified_rows);
    return made == 0 ? 0 : made * (kSetNs + kSetShingleNs * work_.far.shingles / wanted);
  }

  [[nodiscard]] double signing_ns() const noexcept {
    return rows_ * banding_cost_ns(run_.banding, shingles_of_row_, {});
  }

  [[nodiscard]] double verifying_ns() const noexcept {
    const double verified = work_.near.pairs + work_.far.pairs;
    const double shingles = work_.near.shingles + work_.far.shingles;
    return work_.candidates * kCandidateNs + verified * kRowVerifyNs +
           shingles * kRowVerifyShingleNs + making_ns();
  }

  // Extra time of an exact join whose sets are split into ranges: every two ranges of the sides are
  // joined.
  [[nodiscard]] double ranges_ns() const noexcept {
    const double elements = joined_elements_;
    const MemoryBudget budget{run_.memory_bytes};
    if (!is_exact() || kept_elements_ * kOrderedElementBytes <= static_cast<double>(budget.bytes)) {
      return 0;
    }
    const auto range = static_cast<double>(std::max(budget.batch(), kLeastRangesBytes)) / 2;
    const double ranges = (kept_rows_ * static_cast<double>(kRangedSetBytes) +
                           elements * static_cast<double>(kRangedElementBytes)) /
                          range;
    const double own = 1 - static_cast<double>(survey_.other_rows) / std::max(1.0, rows_);
    const double within = run_.use == JoinUse::survivors || own == 1 ? own * own : 0;
    return (within + 2 * own * (1 - own)) * ranges * elements * kRangedElementNs;
  }

  // Bytes kept per row while the collection is read.
  [[nodiscard]] double key_bytes() const noexcept {
    return is_lsh() ? 8.0 * run_.banding.bands : 0;
  }
  [[nodiscard]] double filter_bytes() const noexcept {
    return is_lsh() ? static_cast<double>(run_.banding.components) : 0;
  }

  [[nodiscard]] bool spills() const noexcept {
    if (!run_.may_spill || !(is_lsh() || is_exact())) return false;
    double kept =
        rows_ * (kSpareCapacity * (kRowBytes + filter_bytes()) + key_bytes() + looked_up_bytes());
    const MemoryBudget budget{run_.memory_bytes};
    if (is_exact()) {
      if (kept_elements_ * kOrderedElementBytes > static_cast<double>(budget.bytes)) return true;
      kept += kSpareCapacity * kKeptElementBytes * kept_elements_;
    }
    return kept > static_cast<double>(budget.kept_by_scan());
  }

  [[nodiscard]] double stored_row_bytes() const noexcept {
    return kPageForms * (kStoredRowBytes + filter_bytes() + kStoredKeyBytes * run_.banding.bands);
  }

  // True if an exact join moves its rows to scratch together with their sets.
  [[nodiscard]] bool stores_places() const noexcept {
    return rows_ * static_cast<double>(kJoinedRowBytes) >
           static_cast<double>(run_.memory_bytes + kBesidesMemory);
  }
  [[nodiscard]] double stored_place_bytes() const noexcept {
    if (!stores_places()) return run_.partners ? kFilteredSetBytes : 0;
    return kPageForms * (kStoredRowBytes + kStoredKeyBytes);
  }

  // Size of the sets of this many rows, which are matched together.
  [[nodiscard]] double sets_at_hand(double rows) const noexcept {
    const double seen = work_.near.pairs + work_.far.pairs;
    const double unseen = std::max(0.0, kLeastVerified * distinct_rows_ - seen);
    if (seen + unseen == 0) return 0;
    const double shingles =
        (work_.near.shingles + work_.far.shingles) / 2 + unseen * shingles_of_row_;
    const double elements =
        shingles / (seen + unseen) * elements_of_row_ / std::max(1.0, shingles_of_row_);
    return std::min(kSetBytes, std::min(rows, seen + unseen) * (8 * elements + kSetOverheadBytes));
  }

  // Pairs listed by `pairs`; beyond this, they go to scratch.
  [[nodiscard]] double listed_bytes() const noexcept {
    const MemoryBudget budget{run_.memory_bytes};
    const double found = work_.found * kept_rows_ / std::max(1.0, rows_);
    return std::min(found * kRowPairBytes, static_cast<double>(budget.sorts()));
  }

  [[nodiscard]] double fixed_bytes() const noexcept {
    const double shingle_bytes = run_.by_characters ? kCharacterShingleBytes : kShingleBytes;
    const std::uint64_t block =
        std::min(survey_.bytes, MemoryBudget{run_.memory_bytes}.block_bytes(1));
    return kProgramBytes + static_cast<double>(survey_.kept_bytes) +
           kBlockForms * static_cast<double>(block) +
           kRowForms * static_cast<double>(survey_.longest_row) + filter_table_bytes() +
           shingle_bytes * static_cast<double>(survey_.most_shingles);
  }

  // The table of a small collection, and a row that is looked up in it.
  [[nodiscard]] double filter_table_bytes() const noexcept {
    return run_.partners ? kFilterElementBytes * static_cast<double>(run_.partners->small_elements)
                         : 0;
  }
  [[nodiscard]] double looked_up_bytes() const noexcept {
    return run_.partners ? kFilteredRowBytes : 0;
  }

  [[nodiscard]] double sample_bytes() const noexcept {
    if (!run_.chooses_method || survey_.elements > kMostElementsOfAuto) return 0;
    const double row_bytes = static_cast<double>(survey_.bytes) / std::max(1.0, rows_);
    const double drawn = std::min(
        rows_, static_cast<double>(rows_to_join(survey_.rows, survey_.other_rows, kLeastSample)));
    return std::min(drawn, 2 * kSampleBytes / std::max(1.0, row_bytes)) * elements_of_row_ *
           kSampledElementBytes;
  }

  // Rows in memory during reading.
  [[nodiscard]] double kept_rows() const noexcept {
    return rows_ * (kRowBytes + filter_bytes() + key_bytes() + looked_up_bytes());
  }
  // Rows while they are grouped; only kept rows are grouped.
  [[nodiscard]] double grouped_rows() const noexcept {
    if (!run_.partners) return kGroupingForms * kept_rows();
    return kept_rows() + (kGroupingForms - 1) * kRowBytes * kept_rows_;
  }

  [[nodiscard]] double matching_bytes() const noexcept {
    const double listed = run_.use == JoinUse::every_pair ? listed_bytes() : 0;
    const double keeping = grouped_rows();
    double matching = rows_ * (kMatchedRowBytes + filter_bytes()) + sets_at_hand(rows_) + listed;
    if (is_exact()) {
      matching =
          keeping +
          std::max(kept_elements_ * kScannedElementBytes, joined_elements_ * kJoinedElementBytes) +
          listed_bytes();
    }
    if (run_.method == Method::brute) {
      matching = keeping + distinct_rows_ * (8 * elements_of_row_ + kSetOverheadBytes) + listed;
    }
    return matching;
  }

  [[nodiscard]] double peak_in_memory() const noexcept {
    return fixed_bytes() + std::max({sample_bytes(), grouped_rows(), matching_bytes()});
  }

  // Kept decompressed bytes are included in the share, except for the current pieces.
  [[nodiscard]] double scanning_in_scratch() const noexcept {
    const MemoryBudget budget{run_.memory_bytes};
    return fixed_bytes() - static_cast<double>(std::min(survey_.kept_bytes, budget.unpacked())) +
           kSpilledShare * static_cast<double>(budget.bytes);
  }
  [[nodiscard]] double matching_in_scratch() const noexcept {
    const auto batch = static_cast<double>(MemoryBudget{run_.memory_bytes}.batch());
    if (is_exact()) {
      if (run_.partners && stores_places()) return scanning_in_scratch() + listed_bytes();
      return fixed_bytes() + kGroupingForms * rows_ * kRowBytes + batch + listed_bytes();
    }
    const double rows = std::min(rows_, batch / (kBatchRowBytes + 2 * filter_bytes()));
    return fixed_bytes() + batch + sets_at_hand(rows);
  }
  [[nodiscard]] double peak_in_scratch() const noexcept {
    return std::max(is_exact() ? 0 : scanning_in_scratch(), matching_in_scratch());
  }

  const RowSurvey& survey_;
  const PlannedRun& run_;
  double rows_;
  double shingles_of_row_;
  double elements_of_row_;
  double kept_rows_;  // by an exact join; others are only looked up
  double kept_elements_;
  double distinct_rows_;    // with distinct texts
  double joined_elements_;  // elements of kept rows with distinct texts
  ExpectedWork work_;
};

}  // namespace

double sketch_ns(const RowSurvey& survey, const PlannedRun& run) noexcept {
  return Forecast(survey, run).sketch_ns();
}

RunCosts run_costs(const RowSurvey& survey, const PlannedRun& run) noexcept {
  return Forecast(survey, run).costs();
}

}  // namespace sosie
