// Dice's coefficient of sets.
#include "verify/dice.h"

#include <algorithm>

#include "verify/jaccard.h"

namespace sosie {
namespace {

ExactSimilarity dice_fraction(const Overlap& o) noexcept {
  return {2 * std::uint64_t{o.shared}, std::uint64_t{o.left} + o.right()};
}

}  // namespace

double dice(const Overlap& overlap) noexcept {
  const std::uint64_t both = std::uint64_t{overlap.shared} + overlap.united;  // |A| + |B|
  return both == 0
             ? 1.0
             : static_cast<double>(2 * std::uint64_t{overlap.shared}) / static_cast<double>(both);
}

bool dice_reaches(const Overlap& overlap, const Rational& threshold) noexcept {
  const std::uint64_t both = std::uint64_t{overlap.shared} + overlap.united;
  return overlap.shared >= dice_least_overlap(both, 0, threshold);
}

bool dice_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                          const Rational& threshold) noexcept {
  return std::min(left, right) >= dice_least_overlap(left, right, threshold);
}

std::uint64_t dice_largest_difference(std::uint64_t left, std::uint64_t right,
                                      const Rational& threshold) noexcept {
  const std::uint64_t both = left + right;
  return both - std::min(both, 2 * dice_least_overlap(left, right, threshold));
}

std::uint64_t dice_least_overlap(std::uint64_t left, std::uint64_t right,
                                 const Rational& threshold) noexcept {
  const std::uint64_t whole = 2 * threshold.den;
  return (threshold.num * (left + right) + whole - 1) / whole;
}

std::uint64_t dice_smallest_partner(std::uint64_t size, const Rational& threshold) noexcept {
  // 2 s / (L + s) >= a / b for a partner that consists of s shared elements.
  const std::uint64_t rest = 2 * threshold.den - threshold.num;
  return (threshold.num * size + rest - 1) / rest;
}

std::uint64_t dice_largest_partner(std::uint64_t size, std::uint64_t shared,
                                   const Rational& threshold) noexcept {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  const std::uint64_t both = 2 * shared * threshold.den / threshold.num;
  return std::min(kMost, both - std::min(both, size));
}

std::optional<Measure> dice_measure(MeasureParameters /*parameters*/) {
  return Measure{.overlap = set_overlap,
                 .functions = {.reaches = kWithoutWeights<dice_reaches>,
                               .sizes_can_reach = kWithoutWeights<dice_sizes_can_reach>,
                               .largest_difference = kWithoutWeights<dice_largest_difference>,
                               .least_overlap = kWithoutWeights<dice_least_overlap>,
                               .smallest_partner = kWithoutWeights<dice_smallest_partner>,
                               .largest_partner = kWithoutWeights<dice_largest_partner>,
                               .similarity = kWithoutWeights<dice>,
                               .fraction = kWithoutWeights<dice_fraction>,
                               .is_above = kWithoutWeights<jaccard_is_above>}};
}

}  // namespace sosie
