#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// A collection of sets in which other sets, not known beforehand, are looked up one at a time.
// Look-ups are exact and use an index of prefixes (MMDS 3.9.4). Elements are ordered by the number
// of sets in the collection that contain them, rarest first; elements of the query set that occur
// in no set come first and need no look-up. Needs at most kBytesPerElement for each element of each
// set.
class SetLookup {
 public:
  static constexpr std::uint64_t kBytesPerElement = 80;
  using Hits = std::vector<SimilarSet>;

  // Buffers and counters for one look-up at a time.
  struct Finder {
    std::vector<Place> last_lookup;  // by position: the latest look-up that reached it
    Place lookups = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // count and number of each element
    std::uint64_t signature = 0;
    std::uint64_t candidates = 0;
    std::uint64_t verified = 0;
  };

  // The position of a set is its place in `sets`. Throws Error{limit_exceeded} for 2^32 - 1 or more
  // distinct elements.
  SetLookup(HashedSets sets, const Measure& measure, const Rational& threshold);

  // Appends every set that is similar to `set`, in arbitrary order; for an ordered measure, `set`
  // is the left one. No set is similar to an empty set. Thread-safe.
  void find(SetView set, Finder& finder, Hits& out) const;

  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(sets_.size()); }

 private:
  // Distinct elements, numbered in the order of first occurrence.
  class Elements {
   public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Returns the number of the element, assigning a new one if necessary.
    std::uint32_t add(std::uint64_t element);
    [[nodiscard]] std::uint32_t find(std::uint64_t element) const noexcept;
    [[nodiscard]] std::uint32_t size() const noexcept {
      return static_cast<std::uint32_t>(elements_.size());
    }

   private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t element) const noexcept;
    void grow();

    std::vector<std::uint64_t> elements_;
    std::vector<std::uint32_t> slots_;  // numbers; a power of two, half of them free
  };

  [[nodiscard]] SetView set_at(Place position) const noexcept;
  void count_elements();
  void index_prefixes();
  void verify(SetView set, Place position, Finder& finder, Hits& out) const;

  HashedSets sets_;
  const Measure& measure_;
  Rational threshold_;
  Elements elements_;
  std::vector<std::uint32_t> counts_;      // by element: number of sets that contain it
  std::vector<std::uint64_t> starts_;      // element e: postings_[starts_[e] .. starts_[e + 1])
  std::vector<Place> postings_;            // the sets whose prefixes contain it
  std::vector<std::uint64_t> signatures_;  // by position: parity, see ParitySignatures
};

}  // namespace sosie
