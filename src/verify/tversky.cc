// Tversky's index of sets and its bounds, in 128-bit integers.
#include "verify/tversky.h"

#include <algorithm>
#include <numeric>

#include "verify/jaccard.h"

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;
using Weights = const MeasureWeights&;

constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostOverlap = ~std::uint32_t{0};

// The members of MeasureWeights: w, a and b.
std::uint64_t whole(Weights weights) noexcept { return weights[0]; }
std::uint64_t of_left(Weights weights) noexcept { return weights[1]; }
std::uint64_t of_right(Weights weights) noexcept { return weights[2]; }
std::uint64_t lesser(Weights weights) noexcept { return std::min(of_left(weights), weights[2]); }
std::uint64_t greater(Weights weights) noexcept { return std::max(of_left(weights), weights[2]); }

// S for sizes below 2^32: both terms are below 2^64.
ExactSimilarity terms(const Overlap& o, Weights weights) noexcept {
  const std::uint64_t above = whole(weights) * o.shared;
  return {above, above + of_left(weights) * (o.left - o.shared) +
                     of_right(weights) * (o.right() - o.shared)};
}

// In lowest terms, as displayed.
ExactSimilarity fraction(const Overlap& overlap, Weights weights) noexcept {
  const ExactSimilarity s = terms(overlap, weights);
  const std::uint64_t divisor = std::max<std::uint64_t>(1, std::gcd(s.above, s.below));
  return {s.above / divisor, s.below / divisor};
}

double similarity(const Overlap& overlap, Weights weights) noexcept {
  const ExactSimilarity s = terms(overlap, weights);
  return s.below == 0 ? 1.0 : static_cast<double>(s.above) / static_cast<double>(s.below);
}

bool is_above(const Overlap& a, const Overlap& b, Weights weights) noexcept {
  const ExactSimilarity of_a = terms(a, weights);
  const ExactSimilarity of_b = terms(b, weights);
  return Wide{of_a.above} * of_b.below > Wide{of_b.above} * of_a.below;
}

bool left_reaches(const Overlap& overlap, const Rational& threshold, Weights weights) noexcept {
  const ExactSimilarity s = terms(overlap, weights);
  return Wide{s.above} * threshold.den >= Wide{s.below} * threshold.num;
}

// The better way round weighs what only the smaller set holds more.
//     S >= n/d  <=>  s (w (d - n) + n (a + b)) >= n (greater (small - s) + lesser (large - s) +
//     ...)
// so `shared` common elements suffice for sizes whose weighted sum is at most shared * gain / n.
Wide gain(const Rational& threshold, Weights weights) noexcept {
  return Wide{whole(weights)} * (threshold.den - threshold.num) +
         Wide{threshold.num} * (of_left(weights) + of_right(weights));
}

Wide quotient_up(Wide part, Wide divisor) noexcept { return (part + divisor - 1) / divisor; }

std::uint64_t least_overlap(std::uint64_t left, std::uint64_t right, const Rational& threshold,
                            Weights weights) noexcept {
  const Wide weighted = Wide{greater(weights)} * std::min(left, right) +
                        Wide{lesser(weights)} * std::max(left, right);
  return static_cast<std::uint64_t>(
      quotient_up(weighted * threshold.num, gain(threshold, weights)));
}

bool reaches(const Overlap& overlap, const Rational& threshold, Weights weights) noexcept {
  return overlap.shared >= least_overlap(overlap.left, overlap.right(), threshold, weights);
}

bool sizes_can_reach(std::uint64_t left, std::uint64_t right, const Rational& threshold,
                     Weights weights) noexcept {
  return std::min(left, right) >= least_overlap(left, right, threshold, weights);
}

std::uint64_t largest_difference(std::uint64_t left, std::uint64_t right, const Rational& threshold,
                                 Weights weights) noexcept {
  const std::uint64_t both = left + right;
  return both - std::min(both, 2 * least_overlap(left, right, threshold, weights));
}

// S of a partner that consists of p shared elements is w p / (w p + lesser (size - p)).
std::uint64_t smallest_partner(std::uint64_t size, const Rational& threshold,
                               Weights weights) noexcept {
  const Wide rest = Wide{threshold.num} * lesser(weights);
  if (rest == 0) return 1;
  const Wide each = Wide{whole(weights)} * (threshold.den - threshold.num) + rest;
  return static_cast<std::uint64_t>(std::max<Wide>(1, quotient_up(rest * size, each)));
}

std::uint64_t largest_partner(std::uint64_t size, std::uint64_t shared, const Rational& threshold,
                              Weights weights) noexcept {
  const Wide most = gain(threshold, weights) * shared / threshold.num;
  const Wide as_smaller = Wide{greater(weights)} * size;
  if (most >= as_smaller + Wide{lesser(weights)} * size) {  // the partner can be the larger one
    if (lesser(weights) == 0) return kMostOverlap;
    return static_cast<std::uint64_t>(
        std::min<Wide>(kMostOverlap, (most - as_smaller) / lesser(weights)));
  }
  const Wide as_larger = Wide{lesser(weights)} * size;
  return most < as_larger ? 0 : static_cast<std::uint64_t>((most - as_larger) / greater(weights));
}

}  // namespace

std::optional<Measure> tversky_measure(MeasureParameters parameters) {
  const Rational& a = parameters[0];
  const Rational& b = parameters[1];
  const std::uint64_t w = std::lcm(a.den, b.den);
  const MeasureWeights weights = {w, a.num * (w / a.den), b.num * (w / b.den)};
  if (greater(weights) == 0 || greater(weights) >= kMostWeight || w >= kMostWeight) {
    return std::nullopt;
  }
  return Measure{.overlap = set_overlap,
                 .functions = {.reaches = reaches,
                               .sizes_can_reach = sizes_can_reach,
                               .largest_difference = largest_difference,
                               .least_overlap = least_overlap,
                               .smallest_partner = smallest_partner,
                               .largest_partner = largest_partner,
                               .similarity = similarity,
                               .fraction = fraction,
                               .is_above = is_above,
                               .left_reaches = left_reaches},
                 .weights = weights,
                 .ordered = a != b,
                 .has_large_terms = true};
}

}  // namespace sosie
