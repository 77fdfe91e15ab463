#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "candidates/set_lookup.h"
#include "data/clusters.h"
#include "data/token_sets.h"

namespace sosie {

// Sets that arrive one by one, and among which later sets are looked up exactly. They are divided
// into ranges, each less than half as large as the previous one, with a prefix index per range;
// each set is therefore indexed O(log n) times.
class IncrementalSetIndex {
 public:
  // Maximum memory per element.
  static constexpr std::uint64_t kBytesPerElement = SetLookup::kBytesPerElement + 8;

  // `measure` must outlive this object.
  IncrementalSetIndex(const Measure& measure, const Rational& threshold)
      : measure_(measure), threshold_(threshold) {}

  // The position of the set is the number of sets added before it. Throws as SetLookup does.
  void add(SetView set);
  // The first set that is similar to this one; in the overlap, this set is on the left. No set is
  // similar to an empty set.
  [[nodiscard]] std::optional<SimilarSet> first_similar(SetView set);

  // For all look-ups together: the number of sets met in an index or compared without one, and the
  // number of sets compared.
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
  std::size_t indexed_ = 0;  // number of sets in ranges
  SetLookup::Hits hits_;
  std::uint64_t listed_ = 0;
  std::uint64_t verified_ = 0;
};

}  // namespace sosie
