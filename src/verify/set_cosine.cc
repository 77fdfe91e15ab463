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

// A number of 192 bits.
struct Product {
  Wide high;
  std::uint64_t low;

  friend auto operator<=>(const Product&, const Product&) = default;
};

// `a` must be below 2^124.
Product product(Wide a, std::uint64_t b) noexcept {
  const Wide low = Wide{static_cast<std::uint64_t>(a)} * b;
  return {(a >> 64) * b + (low >> 64), static_cast<std::uint64_t>(low)};
}

// shared / sqrt(left right) >= num / den. Exact for sizes below 2^32 and terms below 2^62.
bool reaches(std::uint64_t shared, std::uint64_t left, std::uint64_t right,
             const Rational& threshold) noexcept {
  if ((threshold.num | threshold.den) >> 31 == 0) {  // saves a tenth of a join's time
    return square(shared * threshold.den) >= square(threshold.num) * left * right;
  }
  return product(square(threshold.den), shared * shared) >=
         product(square(threshold.num), left * right);
}

// The terms of two overlaps, each below 2^32, so that the cross products of squares need 128 bits.
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

// The double is off by at most one element; the exact test decides.
std::uint64_t set_cosine_smallest_partner(std::uint64_t size, const Rational& threshold) noexcept {
  if (size == 0) return 0;
  const double t = threshold.value();
  auto partner = std::min(size, 1 + static_cast<std::uint64_t>(t * t * static_cast<double>(size)));
  while (!reaches(partner, size, partner, threshold)) ++partner;
  while (partner > 1 && reaches(partner - 1, size, partner - 1, threshold)) --partner;
  return partner;
}

std::uint64_t set_cosine_largest_partner(std::uint64_t size, std::uint64_t shared,
                                         const Rational& threshold) noexcept {
  const double root = static_cast<double>(shared) / threshold.value();
  const double guess = root * root / static_cast<double>(size);
  if (guess > static_cast<double>(kMost)) return kMost;
  auto partner = static_cast<std::uint64_t>(guess);
  while (partner < kMost && reaches(shared, size, partner + 1, threshold)) ++partner;
  while (partner > 0 && !reaches(shared, size, partner, threshold)) --partner;
  return partner;
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
                               .is_above = kWithoutWeights<set_cosine_is_above>},
                 .has_large_terms = true};
}

}  // namespace sosie
