#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rational.h"
#include "data/measure.h"
#include "data/token_sets.h"

namespace sosie {

// The pairs to find between two collections: the measure and, if it is ordered, which collection's
// sets are on the left.
struct PartnerTask {
  const Measure* measure = nullptr;
  Rational threshold = {};
  bool known_on_left = false;  // for an ordered measure: the known sets are on the left
};

// While the sets of a large collection arrive, detects which of them have no partner in a small
// collection. All elements that two similar sets share are elements of the small collection, and at
// least one of them is among the rarest elements of the known set (MMDS 3.9.4). A set with a
// partner is always kept; a set without one is rarely kept.
class PartnerElements {
 public:
  // `sets`: the small collection. Takes 20 to 40 bytes per element.
  PartnerElements(const HashedSets& sets, const PartnerTask& task);

  // True if at least one of these elements (duplicates are allowed) occurs in the small collection.
  [[nodiscard]] bool holds_any(std::span<const std::uint64_t> elements) const noexcept;
  // False if the set is certainly not similar to any set in the small collection.
  [[nodiscard]] bool may_be_similar(SetView set) const noexcept;

 private:
  enum class Slot : std::uint8_t { free, known, rare };

  // True for nearly all elements that do not occur: at most one bit in sixteen is set.
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
  std::vector<Slot> slots_;              // rare: the element is in the prefix of a set
};

}  // namespace sosie
