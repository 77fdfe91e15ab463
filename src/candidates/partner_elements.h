#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rational.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// Pairs of two collections that are asked for: by an ordered measure, the sets of which one are on
// the left.
struct PartnerTask {
  const Measure* measure = nullptr;
  Rational threshold = {};
  bool known_on_left = false;  // for an ordered measure: the sets that are known beforehand are
};

// Tells sets of a large collection that have no partner in a small one, as they come: what two
// similar sets share is among the elements of the small collection, and one of them is among the
// rarest of the known set (MMDS 3.9.4). None is lost; few are kept in vain.
class PartnerElements {
 public:
  // `sets`: the small collection. Takes 20 to 40 bytes an element.
  PartnerElements(const HashedSets& sets, const PartnerTask& task);

  // True if one of these elements, which may repeat, is one of the small collection's.
  [[nodiscard]] bool holds_any(std::span<const std::uint64_t> elements) const noexcept;
  // False for a set that is similar to none of the small collection.
  [[nodiscard]] bool may_be_similar(SetView set) const noexcept;

 private:
  enum class Slot : std::uint8_t { free, known, rare };

  // True for nearly all elements that are not there: one bit of sixteen or more is set.
  [[nodiscard]] bool is_unlikely(std::uint64_t element) const noexcept {
    return (bits_[element >> 6 & bit_mask_] >> (element & 63) & 1) == 0;
  }
  [[nodiscard]] Slot kind_of(std::uint64_t element) const noexcept {
    return is_unlikely(element) ? Slot::free : slots_[slot_of(element)];
  }
  [[nodiscard]] std::size_t slot_of(std::uint64_t element) const noexcept;
  void add_prefix(SetView set, std::vector<std::uint32_t>& counts);

  PartnerTask task_;
  std::vector<std::uint64_t> bits_;  // small enough to stay in cache
  std::size_t bit_mask_ = 0;
  std::vector<std::uint64_t> elements_;  // open addressing, at most half full
  std::vector<Slot> slots_;              // rare: it is in the prefix of a set
};

}  // namespace sosie
