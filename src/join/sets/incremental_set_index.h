#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "candidates/set_lookup.h"
#include "data/clusters.h"
#include "data/token_sets.h"

namespace sosie {

// Sets that come one by one, and that later ones are looked up in exactly. Ranges of them, each
// less than half of the one before it, have prefix indexes: a set is indexed O(log n) times.
class IncrementalSetIndex {
 public:
  // Memory that an element takes at most.
  static constexpr std::uint64_t kBytesPerElement = SetLookup::kBytesPerElement + 8;

  // `measure` outlives this.
  IncrementalSetIndex(const Measure& measure, const Rational& threshold)
      : measure_(measure), threshold_(threshold) {}

  // Its position is the number of sets before it. Throws as SetLookup does.
  void add(SetView set);
  // The first set that is similar to this one, which is the left one of the overlap. Empty sets are
  // similar to none.
  [[nodiscard]] std::optional<SimilarSet> first_similar(SetView set);

  // Sets that all look-ups met in an index or compared without one, and those compared.
  [[nodiscard]] std::uint64_t listed() const noexcept { return listed_; }
  [[nodiscard]] std::uint64_t verified() const noexcept { return verified_; }

 private:
  struct Range {
    Place first;  // position of its first set
    SetLookup lookup;
    SetLookup::Finder finder;
  };

  [[nodiscard]] SetView set_at(std::size_t position) const noexcept;
  void index_newest();
  [[nodiscard]] std::optional<SimilarSet> first_of(Range& range, SetView set);

  const Measure& measure_;
  Rational threshold_;
  HashedSets sets_;
  std::vector<Range> ranges_;
  std::size_t indexed_ = 0;  // sets that stand in ranges
  SetLookup::Hits hits_;
  std::uint64_t listed_ = 0;
  std::uint64_t verified_ = 0;
};

}  // namespace sosie
