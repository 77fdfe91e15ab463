#include "verify/bit_measures.h"

#include <array>
#include <bit>

#include "core/find_by_name.h"

// TABLE: every measure of bit strings, once.
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

// Strings without a bit are like each other, as empty sets are by this measure, and like nothing
// else.
bool jaccard_reaches(const BitCounts& counts, const Rational& bound) noexcept {
  return at_least(counts.shared, counts.united, bound);
}

constexpr std::array kBitMeasures = {
    BitMeasure{.name = "hamming",
               .source = "positions that differ (MMDS 3.5.6)",
               .is_similarity = false,
               .value = hamming_value,
               .reaches = hamming_reaches},
    BitMeasure{.name = "jaccard",
               .source = "of the sets of 1s (MMDS 3.1.1); Tanimoto similarity of fingerprints",
               .is_similarity = true,
               .value = jaccard_value,
               .reaches = jaccard_reaches},
};

}  // namespace

std::span<const BitMeasure> bit_measures() noexcept { return kBitMeasures; }

const BitMeasure* bit_measure_by_name(std::string_view name) noexcept {
  return find_by_name(bit_measures(), name);
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
