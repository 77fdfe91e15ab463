// Measures of bit strings: counts and decisions.
#include "verify/bit_measures.h"

#include "kernels/shared_bits.h"

namespace sosie {
namespace {

double hamming_value(const BitCounts& counts) noexcept {
  return static_cast<double>(counts.different());
}

bool hamming_reaches(const BitCounts& counts, const Rational& bound) noexcept {
  return counts.different() * bound.den <= bound.num;
}

std::uint64_t hamming_difference(std::uint64_t /*ones*/, const Rational& bound) noexcept {
  return bound.num / bound.den;
}

std::uint64_t hamming_difference_of(std::uint64_t /*ones*/, double value) noexcept {
  return static_cast<std::uint64_t>(value);
}

double bit_jaccard_value(const BitCounts& counts) noexcept {
  if (counts.united == 0) return 1;
  return static_cast<double>(counts.shared) / static_cast<double>(counts.united);
}

// Two empty sets have similarity 1 by convention, but reach no bound, because they are never
// compared.
bool bit_jaccard_reaches(const BitCounts& counts, const Rational& bound) noexcept {
  return counts.united > 0 && at_least(counts.shared, counts.united, bound);
}

// (a + b - h) / (a + b + h) >= n / d, where h is the number of differing bits.
std::uint64_t bit_jaccard_difference(std::uint64_t ones, const Rational& bound) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{bound.den - bound.num} * ones / (bound.den + bound.num));
}

std::uint64_t bit_jaccard_difference_of(std::uint64_t ones, double value) noexcept {
  constexpr double kRounding = 1e-6;  // rounding of numbers below 2^25 is a thousandth of it
  return static_cast<std::uint64_t>((1 - value) / (1 + value) * static_cast<double>(ones) +
                                    kRounding);
}

}  // namespace

std::optional<BitMeasure> bit_hamming_measure(MeasureParameters /*parameters*/) {
  return BitMeasure{.value = hamming_value,
                    .reaches = hamming_reaches,
                    .largest_difference = hamming_difference,
                    .difference_of_value = hamming_difference_of};
}

std::optional<BitMeasure> bit_jaccard_measure(MeasureParameters /*parameters*/) {
  return BitMeasure{.is_of_sets = true,
                    .value = bit_jaccard_value,
                    .reaches = bit_jaccard_reaches,
                    .largest_difference = bit_jaccard_difference,
                    .difference_of_value = bit_jaccard_difference_of};
}

BitCounts count_bits(const std::uint64_t* left, const std::uint64_t* right,
                     std::size_t words) noexcept {
  const kernels::SharedBits counts = kernels::shared_bits(left, right, words);
  return {counts.shared, counts.united};
}

}  // namespace sosie
