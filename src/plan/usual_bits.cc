// Weighs levels by their typical evidence for a match.
#include "plan/usual_bits.h"

#include <algorithm>

#include "core/real_functions.h"

namespace sosie {

UsualBits::UsualBits(const FitTask& task) {
  for (std::size_t f = 0; f < task.usual.size(); ++f) {
    std::vector<double>& bits = bits_.emplace_back(task.usual[f].size());
    for (std::size_t level = 1; level < bits.size(); ++level) {
      bits[level] = log2_of(task.usual[f][level] / task.random_shares[f][level]);
    }
  }
}

double UsualBits::of(std::span<const std::uint8_t> levels) const {
  double bits = 0;
  for (std::size_t f = 0; f < bits_.size(); ++f) bits += bits_[f][levels[f]];
  return bits;
}

double UsualBits::likely(const FitTask& task) {
  constexpr double kMatchedPart = 0.5;  // part of the records that have a match, at the start
  return log2_of(task.all_pairs / (kMatchedPart * task.records));
}

double probability_of(double bits) {
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr double kManyBits = 1000;
  return 1 / (1 + exponential(-std::clamp(bits, -kManyBits, kManyBits) * kLn2));
}

}  // namespace sosie
