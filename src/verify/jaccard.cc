// The Jaccard similarity of sets, and of bags as sets of numbered occurrences.
#include "verify/jaccard.h"

#include <algorithm>

#include "kernels/intersection_size.h"

namespace sosie {
namespace {

double jaccard_similarity(const Overlap& overlap) noexcept { return overlap.jaccard(); }

ExactSimilarity jaccard_fraction(const Overlap& o) noexcept { return {o.shared, o.united}; }

ExactSimilarity bag_sum_fraction(const Overlap& o) noexcept {
  return {o.shared, std::uint64_t{o.shared} + o.united};
}

}  // namespace

Overlap set_overlap(SetView left, SetView right) noexcept {
  const std::size_t shared =
      kernels::intersection_size(left.data(), left.size(), right.data(), right.size());
  return {static_cast<std::uint32_t>(shared),
          static_cast<std::uint32_t>(left.size() + right.size() - shared),
          static_cast<std::uint32_t>(left.size())};
}

double jaccard(SetView left, SetView right) noexcept { return set_overlap(left, right).jaccard(); }

double bag_jaccard_sum(const Overlap& overlap) noexcept {
  const double jaccard = overlap.jaccard();
  return jaccard / (1 + jaccard);  // |A| + |B| = |A and B| + |A or B|
}

bool jaccard_is_above(const Overlap& a, const Overlap& b) noexcept {
  return std::uint64_t{a.shared} * b.united > std::uint64_t{b.shared} * a.united;
}

bool jaccard_reaches(const Overlap& overlap, const Rational& threshold) noexcept {
  return at_least(overlap.shared, overlap.united, threshold);
}

bool jaccard_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                             const Rational& threshold) noexcept {
  return at_least(std::min(left, right), std::max(left, right), threshold);
}

std::uint64_t jaccard_largest_difference(std::uint64_t left, std::uint64_t right,
                                         const Rational& threshold) noexcept {
  return (left + right) * (threshold.den - threshold.num) / (threshold.den + threshold.num);
}

std::uint64_t jaccard_least_overlap(std::uint64_t left, std::uint64_t right,
                                    const Rational& threshold) noexcept {
  const std::uint64_t whole = threshold.num + threshold.den;
  return (threshold.num * (left + right) + whole - 1) / whole;
}

std::uint64_t jaccard_smallest_partner(std::uint64_t size, const Rational& threshold) noexcept {
  return (threshold.num * size + threshold.den - 1) / threshold.den;
}

std::uint64_t jaccard_largest_partner(std::uint64_t size, std::uint64_t shared,
                                      const Rational& threshold) noexcept {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  const std::uint64_t both = shared * (threshold.num + threshold.den) / threshold.num;
  return std::min(kMost, both - std::min(both, size));
}

std::optional<Measure> jaccard_measure(MeasureParameters /*parameters*/) {
  return Measure{.overlap = set_overlap,
                 .functions = {.reaches = kWithoutWeights<jaccard_reaches>,
                               .sizes_can_reach = kWithoutWeights<jaccard_sizes_can_reach>,
                               .largest_difference = kWithoutWeights<jaccard_largest_difference>,
                               .least_overlap = kWithoutWeights<jaccard_least_overlap>,
                               .smallest_partner = kWithoutWeights<jaccard_smallest_partner>,
                               .largest_partner = kWithoutWeights<jaccard_largest_partner>,
                               .similarity = kWithoutWeights<jaccard_similarity>,
                               .fraction = kWithoutWeights<jaccard_fraction>,
                               .is_above = kWithoutWeights<jaccard_is_above>}};
}

Measure bag_jaccard_of_sum() {
  Measure measure = *jaccard_measure({});
  measure.name = "bag-jaccard";
  measure.distance = "jaccard";
  measure.functions.similarity = kWithoutWeights<bag_jaccard_sum>;
  measure.functions.fraction = kWithoutWeights<bag_sum_fraction>;
  return measure;
}

}  // namespace sosie
