#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/run_summary.h"
#include "decide/decisions.h"
#include "join/sets/candidate_sketch.h"
#include "join/sets/row_pair_collector.h"
#include "join/sets/set_run.h"

namespace sosie {

// Measures a run's recall and precision on its own data (`--audit=N`). N of the run's documents are
// sampled; all other documents are compared with an inverted index of the sampled shingles, which
// counts every overlap exactly. A true pair (similarity >= threshold, in integers) counts as found
// if the run's candidate rule accepts it: identical texts always, brute force accepts all pairs,
// and lsh accepts pairs that share a band and agree in enough of the filter. For this test, both
// documents are sketched again. Precision is measured on the reported pairs that contain a sampled
// document. Each row in a pair counts the pair, so that the ratio estimates the recall over all
// pairs of rows. Costs about as much as another scan.

// Receives a set of OTHER, with its elements in ascending order, and its row number in the corpus
// (kNoRow: none). Sets arrive in row order.
using TakeOtherSet = std::function<void(SetView set, RowId row)>;

// The items of a run to be audited, and the method by which their pairs were found.
struct AuditedSets {
  const Inputs& inputs;
  const Corpus& corpus;
  const Items& items;
  const Settings& settings;
  const MethodChoice& choice;
  ThreadPool& pool;
  Scratch& scratch;
  const RunHooks& hooks;
  std::uint64_t sample;
  // Supplies all sets of OTHER if its rows have no text; if null, these rows are read like all
  // others.
  std::function<void(const TakeOtherSet& take)> others = {};
};
[[nodiscard]] AuditedSets audited_sets(SetRun& run);

// Audits the pairs that dedup reports: each removed row with its survivor.
[[nodiscard]] AuditFacts audit_dedup(const AuditedSets& run, const Decisions& decisions);

// Audits the reported pairs, which `pairs` passes to its argument. With --against, only pairs
// between the two collections count.
[[nodiscard]] AuditFacts audit_pairs(const AuditedSets& run,
                                     const std::function<void(const TakeRowPairs& take)>& pairs);
[[nodiscard]] AuditFacts audit_pairs(SetRun& run, const RowPairCollector& rows);

// Samples `count` of the run's own rows that take part, in input order: the rows with the smallest
// hash(seed, row). Returns all of them if there are no more than `count`.
[[nodiscard]] std::vector<RowId> draw_rows(const Corpus& corpus, const Items& items,
                                           std::uint64_t count, std::uint64_t seed);

// The shingle sets of the sampled items, with an inverted index that lists, for each shingle, the
// sampled items that contain it.
class AuditIndex {
 public:
  // Rereads the texts of `places`. If the method is lsh, also computes their sketches.
  AuditIndex(const AuditedSets& run, std::vector<Place> places);

  // Sampled items are identified by their positions in places().
  [[nodiscard]] const std::vector<Place>& places() const noexcept { return places_; }
  [[nodiscard]] std::uint32_t set_size(std::uint32_t item) const noexcept { return sizes_[item]; }
  [[nodiscard]] const CandidateSketch& sketch(std::uint32_t item) const noexcept {
    return sketches_[item];
  }

  // The number of a shingle if a sampled item contains it; otherwise, kNoShingle.
  static constexpr std::uint32_t kNoShingle = ~std::uint32_t{0};
  [[nodiscard]] std::uint32_t find(std::uint64_t shingle) const noexcept;
  [[nodiscard]] std::span<const std::uint32_t> items_with(std::uint32_t shingle) const noexcept {
    return {members_.data() + starts_[shingle], members_.data() + starts_[shingle + 1]};
  }

 private:
  struct Slot {
    std::uint64_t shingle = 0;
    std::uint32_t number = kNoShingle;
  };

  void invert(const std::vector<std::vector<std::uint64_t>>& sets);
  void add_slot(std::uint64_t shingle, std::uint32_t number);

  std::vector<Place> places_;
  std::vector<std::uint32_t> sizes_;
  std::vector<CandidateSketch> sketches_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> members_;
};

}  // namespace sosie
