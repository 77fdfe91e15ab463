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

// Result of scanning a row: its set (empty: it matches nothing) and its sketches.
struct SketchedSet {
  SetView set;
  std::span<const std::uint64_t> keys;   // one per band
  std::span<const std::uint8_t> filter;  // K bytes
};

// Row i of a block of a scan that kept sets and sketches. `keys`: memory for the keys.
[[nodiscard]] SketchedSet sketched_set(const ScannedBlock& block, std::size_t i,
                                       std::vector<std::uint64_t>& keys);

// Sets in which others are looked up, by banding; they can be added and removed. A position is the
// index of a set, from 0; only compact() changes positions, keeping their order.
class IndexedSets {
 public:
  using Hit = SimilarSet;
  // Working memory for one look-up at a time, and its counters.
  struct Finder {
    std::vector<Place> candidates;
    std::vector<std::uint32_t> agreements;
    std::uint64_t listed = 0;
    std::uint64_t verified = 0;
  };

  IndexedSets(const BandingPlan& plan, const Measure& measure, const Rational& threshold)
      : plan_(plan), measure_(measure), threshold_(threshold) {}

  // Number of positions, including empty ones of removed sets.
  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(sets_.size()); }
  void add(const SketchedSet& set);
  // Set that was added at a position.
  [[nodiscard]] SetView set(Place position) const noexcept {
    const std::uint64_t begin = sets_.starts[position];
    return SetView(sets_.hashes).subspan(begin, sets_.starts[position + 1] - begin);
  }

  // Appends the similar sets from position `from`, in any order; with `one`, at most one.
  void find(const SketchedSet& set, Place from, bool one, Finder& finder,
            std::vector<Hit>& out) const;

  // Returns false if it was already removed.
  bool take_out(Place position);
  [[nodiscard]] bool is_there(Place position) const { return is_there_[position]; }
  // Number of empty positions.
  [[nodiscard]] Place gaps() const noexcept { return gaps_; }
  // Removes all gaps. O(size).
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
