#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/rational.h"
#include "data/clusters.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// Sets that others, which are not known beforehand, are looked up in one at a time: exactly, by an
// index of prefixes (MMDS 3.9.4). Elements are ordered rarest first by how many of these sets they
// stand in; elements of a set that is looked up and of none of these come before all others, and
// need no looking up. Takes at most kBytesPerElement for each element of each set.
class SetLookup {
 public:
  static constexpr std::uint64_t kBytesPerElement = 80;
  using Hits = std::vector<SimilarSet>;

  // Working memory of one lookup at a time, and what its lookups have counted.
  struct Finder {
    std::vector<Place> last_lookup;  // by position: the last one that met it
    Place lookups = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // count and number of each element
    std::uint64_t signature = 0;
    std::uint64_t candidates = 0;
    std::uint64_t verified = 0;
  };

  // A set's position is its place in `sets`. Throws Error{limit_exceeded} for 2^32 - 1 different
  // elements or more.
  SetLookup(HashedSets sets, const Measure& measure, const Rational& threshold);

  // Appends every set that is similar to this one, in no order; of an ordered measure, with this
  // one as the left set. Empty sets are similar to none. Safe for many threads at once.
  void find(SetView set, Finder& finder, Hits& out) const;

  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(sets_.size()); }

 private:
  // Different elements, numbered as they come.
  class Elements {
   public:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    // Its number; a new one if need be.
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
  std::vector<std::uint32_t> counts_;      // by element: sets that have it
  std::vector<std::uint64_t> starts_;      // element e: postings_[starts_[e] .. starts_[e + 1])
  std::vector<Place> postings_;            // the sets in whose prefixes it stands
  std::vector<std::uint64_t> signatures_;  // by position: parity, see ParitySignatures
};

}  // namespace sosie
