#pragma once

#include <cstdint>

#include "candidates/ordered_strings.h"
#include "verify/edit_pattern.h"

namespace sosie {

// Nanoseconds that it takes to measure two strings of these lengths. `are_near`: the strings are
// within `most` edits; other strings are told apart a few symbols beyond that number.
[[nodiscard]] double measure_ns(EditMeasure measure, std::uint32_t left, std::uint32_t right,
                                std::uint32_t most, bool are_near) noexcept;

// Mean cost of candidate pairs, estimated from some of them. `pair_ns`: cost of a pair that does
// not depend on its symbols.
class PairCost {
 public:
  PairCost(const OrderedStrings& strings, const EditBound& bound, double pair_ns);

  [[nodiscard]] bool has_enough() const noexcept { return compared_ >= kMostCompared; }
  // Unless there are enough pairs already, measures the pair as a join does; very long pairs count
  // as dissimilar.
  void add(std::uint32_t item, std::uint32_t other);
  // Mean nanoseconds per pair, including the time for processing a pair that is found.
  [[nodiscard]] double mean_ns() const noexcept {
    return pairs_ == 0 ? pair_ns_ : sum_ns_ / pairs_;
  }
  // Share of the pairs that are found.
  [[nodiscard]] double found_share() const noexcept {
    return pairs_ == 0 ? 0 : static_cast<double>(found_) / pairs_;
  }

 private:
  static constexpr std::uint32_t kMostCompared = 256;

  const OrderedStrings& strings_;
  const EditBound& bound_;
  EditPattern pattern_;
  double pair_ns_;
  std::uint32_t pairs_ = 0;
  std::uint32_t compared_ = 0;  // pairs not excluded by signatures
  std::uint32_t found_ = 0;
  double sum_ns_ = 0;
  double spent_ns_ = 0;  // on measuring
};

}  // namespace sosie
