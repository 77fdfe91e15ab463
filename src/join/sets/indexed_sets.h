#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "candidates/group_equal_keys.h"
#include "corpus/corpus.h"
#include "data/buckets.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "data/token_sets.h"
#include "plan/banding_plan.h"

namespace sosie {

// The result of scanning a row: its sketches and its set, which is empty if the row matches
// nothing.
struct SketchedSet {
  SetView set;
  std::span<const std::uint64_t> keys;   // one per band
  std::span<const std::uint8_t> filter;  // K bytes
};

// Row i of a block from a scan that kept sets and sketches. `keys`: memory for its keys.
[[nodiscard]] SketchedSet sketched_set(const ScannedBlock& block, std::size_t i,
                                       std::vector<std::uint64_t>& keys);

// Sets, among which other sets are looked up by banding; sets can be added and removed. A set's
// position is its index, counted from 0. Only compact() changes positions, and it preserves their
// order.
class IndexedSets {
 public:
  using Hit = SimilarSet;
  // Working memory for one look-up at a time, with counters.
  struct Finder {
    std::vector<Place> candidates;
    std::vector<std::uint32_t> agreements;
    std::uint64_t listed = 0;
    std::uint64_t verified = 0;
  };

  IndexedSets(const BandingPlan& plan, const Measure& measure, const Rational& threshold)
      : plan_(plan), measure_(measure), threshold_(threshold) {}

  // Number of positions, including the empty positions of removed sets.
  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(sets_.size()); }
  void add(const SketchedSet& set);
  // Set that was added at a position.
  [[nodiscard]] SetView set(Place position) const noexcept {
    const std::uint64_t begin = sets_.starts[position];
    return SetView(sets_.hashes).subspan(begin, sets_.starts[position + 1] - begin);
  }

  // Appends the similar sets at position `from` or later, in arbitrary order; if `one`, at most one
  // of them.
  void find(const SketchedSet& set, Place from, bool one, Finder& finder,
            std::vector<Hit>& out) const;

  // Removes the set at this position. Returns false if it had already been removed.
  bool take_out(Place position);
  [[nodiscard]] bool is_there(Place position) const { return is_there_[position]; }
  // Number of empty positions.
  [[nodiscard]] Place gaps() const noexcept { return gaps_; }
  // Removes all empty positions. O(size).
  void compact();

 private:
  void list(const SketchedSet& set, Place from, Finder& finder) const;
  void prune(const SketchedSet& set, Finder& finder) const;

  BandingPlan plan_;
  const Measure& measure_;
  Rational threshold_;
  HashedSets sets_;
  std::vector<std::uint8_t> filters_;
  KeyTable keys_;
  std::vector<bool> is_there_;
  Place gaps_ = 0;
};

}  // namespace sosie
