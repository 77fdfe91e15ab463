// The overlap coefficient of sets, and containment, which is ordered.
#include "verify/overlap_coefficient.h"

#include <algorithm>

#include "verify/jaccard.h"

namespace sosie {
namespace {

std::uint64_t smaller_size(const Overlap& overlap) noexcept {
  return std::min(overlap.left, overlap.right());
}

double part_of(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

ExactSimilarity overlap_fraction(const Overlap& o) noexcept { return {o.shared, smaller_size(o)}; }

ExactSimilarity containment_fraction(const Overlap& o) noexcept { return {o.shared, o.left}; }

}  // namespace

double overlap_coefficient(const Overlap& overlap) noexcept {
  return part_of(overlap.shared, smaller_size(overlap));
}

bool overlap_reaches(const Overlap& overlap, const Rational& threshold) noexcept {
  return at_least(overlap.shared, smaller_size(overlap), threshold);
}

bool overlap_is_above(const Overlap& a, const Overlap& b) noexcept {
  return a.shared * smaller_size(b) > b.shared * smaller_size(a);
}

bool overlap_sizes_can_reach(std::uint64_t /*left*/, std::uint64_t /*right*/,
                             const Rational& /*threshold*/) noexcept {
  return true;  // the larger set may contain the smaller one, whatever its size
}

std::uint64_t overlap_largest_difference(std::uint64_t left, std::uint64_t right,
                                         const Rational& threshold) noexcept {
  return left + right - 2 * overlap_least_overlap(left, right, threshold);
}

std::uint64_t overlap_least_overlap(std::uint64_t left, std::uint64_t right,
                                    const Rational& threshold) noexcept {
  return (threshold.num * std::min(left, right) + threshold.den - 1) / threshold.den;
}

std::uint64_t overlap_smallest_partner(std::uint64_t /*size*/,
                                       const Rational& /*threshold*/) noexcept {
  return 1;
}

std::uint64_t overlap_largest_partner(std::uint64_t size, std::uint64_t shared,
                                      const Rational& threshold) noexcept {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  if (overlap_least_overlap(size, size, threshold) <= shared) return kMost;
  return shared * threshold.den / threshold.num;  // partners smaller than this set
}

double containment(const Overlap& overlap) noexcept {
  return part_of(overlap.shared, overlap.left);
}

bool containment_left_reaches(const Overlap& overlap, const Rational& threshold) noexcept {
  return at_least(overlap.shared, overlap.left, threshold);
}

bool containment_is_above(const Overlap& a, const Overlap& b) noexcept {
  return std::uint64_t{a.shared} * b.left > std::uint64_t{b.shared} * a.left;
}

std::optional<Measure> overlap_measure(MeasureParameters /*parameters*/) {
  return Measure{.overlap = set_overlap,
                 .functions = {.reaches = kWithoutWeights<overlap_reaches>,
                               .sizes_can_reach = kWithoutWeights<overlap_sizes_can_reach>,
                               .largest_difference = kWithoutWeights<overlap_largest_difference>,
                               .least_overlap = kWithoutWeights<overlap_least_overlap>,
                               .smallest_partner = kWithoutWeights<overlap_smallest_partner>,
                               .largest_partner = kWithoutWeights<overlap_largest_partner>,
                               .similarity = kWithoutWeights<overlap_coefficient>,
                               .fraction = kWithoutWeights<overlap_fraction>,
                               .is_above = kWithoutWeights<overlap_is_above>}};
}

std::optional<Measure> containment_measure(MeasureParameters parameters) {
  auto measure = overlap_measure(parameters);
  measure->functions.similarity = kWithoutWeights<containment>;
  measure->functions.fraction = kWithoutWeights<containment_fraction>;
  measure->functions.is_above = kWithoutWeights<containment_is_above>;
  measure->functions.left_reaches = kWithoutWeights<containment_left_reaches>;
  measure->ordered = true;
  return measure;
}

}  // namespace sosie
