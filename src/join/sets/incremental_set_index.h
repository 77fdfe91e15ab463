#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "candidates/set_lookup.h"
#include "data/clusters.h"
#include "data/token_sets.h"

namespace sosie {

// Sets that arrive one by one, and in which later ones are looked up exactly. Ranges of them, each
// less than half of the previous one, have prefix indexes: a set is indexed O(log n) times.
class IncrementalSetIndex {
 public:
  // Maximum memory per element.
  static constexpr std::uint64_t kBytesPerElement = SetLookup::kBytesPerElement + 8;

  // `measure` must outlive this object.
  IncrementalSetIndex(const Measure& measure, const Rational& threshold)
      : measure_(measure), threshold_(threshold) {}

  // The set's position is the number of sets before it. Throws as SetLookup does.
  void add(SetView set);
  // The first set that is similar to this one, which is on the left of the overlap. Empty sets are
  // similar to none.
  [[nodiscard]] std::optional<SimilarSet> first_similar(SetView set);

  // Numbers of sets that all look-ups met in an index or compared without one, and of those
  // compared.
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
