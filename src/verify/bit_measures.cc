// Measures of bit strings: what they count, and how they are decided.
#include "verify/bit_measures.h"

#include <bit>

namespace sosie {
namespace {

double hamming_value(const BitCounts& counts) noexcept {
  return static_cast<double>(counts.different());
}

bool hamming_reaches(const BitCounts& counts, const Rational& bound) noexcept {
  return counts.different() * bound.den <= bound.num;
}

double jaccard_value(const BitCounts& counts) noexcept {
  if (counts.united == 0) return 1;
  return static_cast<double>(counts.shared) / static_cast<double>(counts.united);
}

// Two empty sets have the similarity 1 by convention, and reach no bound: they are compared with
// nothing.
bool jaccard_reaches(const BitCounts& counts, const Rational& bound) noexcept {
  return counts.united > 0 && at_least(counts.shared, counts.united, bound);
}

}  // namespace

std::optional<BitMeasure> bit_hamming_measure(MeasureParameters /*parameters*/) {
  return BitMeasure{.value = hamming_value, .reaches = hamming_reaches};
}

std::optional<BitMeasure> bit_jaccard_measure(MeasureParameters /*parameters*/) {
  return BitMeasure{.is_of_sets = true, .value = jaccard_value, .reaches = jaccard_reaches};
}

BitCounts count_bits(const std::uint64_t* left, const std::uint64_t* right,
                     std::size_t words) noexcept {
  BitCounts counts;
  for (std::size_t i = 0; i < words; ++i) {
    counts.shared += static_cast<std::uint64_t>(std::popcount(left[i] & right[i]));
    counts.united += static_cast<std::uint64_t>(std::popcount(left[i] | right[i]));
  }
  return counts;
}

}  // namespace sosie
