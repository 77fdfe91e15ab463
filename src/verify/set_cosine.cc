// The cosine of sets as vectors of 0 and 1, decided by squares.
#include "verify/set_cosine.h"

#include <algorithm>
#include <cmath>

#include "verify/jaccard.h"

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMost = ~std::uint32_t{0};

Wide square(std::uint64_t number) noexcept { return Wide{number} * number; }

// shared / sqrt(left right) >= num / den. Exact: sizes are below 2^32, terms below 2^31.
bool reaches(std::uint64_t shared, std::uint64_t left, std::uint64_t right,
             const Rational& threshold) noexcept {
  return square(shared * threshold.den) >= square(threshold.num) * left * right;
}

// Two overlaps below 2^32 each, so that the cross products of squares need 128 bits.
struct Squares {
  Wide shared;
  Wide sizes;
};
Squares squares_of(const Overlap& overlap) noexcept {
  return {square(overlap.shared), Wide{overlap.left} * overlap.right()};
}

ExactSimilarity cosine_fraction(const Overlap& o) noexcept {
  return {o.shared, std::uint64_t{o.left} * o.right(), true};
}

}  // namespace

double set_cosine(const Overlap& overlap) noexcept {
  const std::uint64_t sizes = std::uint64_t{overlap.left} * overlap.right();
  return sizes == 0 ? 1.0
                    : static_cast<double>(overlap.shared) / std::sqrt(static_cast<double>(sizes));
}

bool set_cosine_reaches(const Overlap& overlap, const Rational& threshold) noexcept {
  return reaches(overlap.shared, overlap.left, overlap.right(), threshold);
}

bool set_cosine_is_above(const Overlap& a, const Overlap& b) noexcept {
  const Squares of_a = squares_of(a);
  const Squares of_b = squares_of(b);
  return of_a.shared * of_b.sizes > of_b.shared * of_a.sizes;
}

bool set_cosine_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                const Rational& threshold) noexcept {
  return reaches(std::min(left, right), left, right, threshold);
}

std::uint64_t set_cosine_largest_difference(std::uint64_t left, std::uint64_t right,
                                            const Rational& threshold) noexcept {
  const std::uint64_t both = left + right;
  return both - std::min(both, 2 * set_cosine_least_overlap(left, right, threshold));
}

std::uint64_t set_cosine_least_overlap(std::uint64_t left, std::uint64_t right,
                                       const Rational& threshold) noexcept {
  std::uint64_t least = 0;
  std::uint64_t most = std::max(left, right);  // always enough
  while (least < most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (reaches(middle, left, right, threshold)) {
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

std::uint64_t set_cosine_smallest_partner(std::uint64_t size, const Rational& threshold) noexcept {
  const Wide whole = square(threshold.den);
  return static_cast<std::uint64_t>((square(threshold.num) * size + whole - 1) / whole);
}

std::uint64_t set_cosine_largest_partner(std::uint64_t size, std::uint64_t shared,
                                         const Rational& threshold) noexcept {
  const Wide partner = square(shared * threshold.den) / (square(threshold.num) * size);
  return static_cast<std::uint64_t>(std::min<Wide>(partner, kMost));
}

std::optional<Measure> set_cosine_measure(MeasureParameters /*parameters*/) {
  return Measure{.overlap = set_overlap,
                 .functions = {.reaches = kWithoutWeights<set_cosine_reaches>,
                               .sizes_can_reach = kWithoutWeights<set_cosine_sizes_can_reach>,
                               .largest_difference = kWithoutWeights<set_cosine_largest_difference>,
                               .least_overlap = kWithoutWeights<set_cosine_least_overlap>,
                               .smallest_partner = kWithoutWeights<set_cosine_smallest_partner>,
                               .largest_partner = kWithoutWeights<set_cosine_largest_partner>,
                               .similarity = kWithoutWeights<set_cosine>,
                               .fraction = kWithoutWeights<cosine_fraction>,
                               .is_above = kWithoutWeights<set_cosine_is_above>}};
}

}  // namespace sosie
