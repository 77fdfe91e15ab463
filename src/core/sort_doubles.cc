// Sorts non-negative doubles by the digits of their bits, which order as the numbers do.
#include "core/sort_doubles.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sosie {
namespace {

constexpr std::size_t kFew = 4096;  // sorted by comparison
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kDigits = (64 + kDigitBits - 1) / kDigitBits;

using Counts = std::array<std::uint32_t, std::size_t{1} << kDigitBits>;

std::size_t digit_of(std::uint64_t bits, std::size_t digit) noexcept {
  return bits >> (digit * kDigitBits) & ((std::uint64_t{1} << kDigitBits) - 1);
}

}  // namespace

void sort_doubles(std::vector<double>& values) {
  const bool comparing =
      values.size() < kFew || values.size() > ~std::uint32_t{0} ||
      std::any_of(values.begin(), values.end(), [](double value) { return std::signbit(value); });
  if (comparing) {
    std::sort(values.begin(), values.end());
    return;
  }
  std::vector<Counts> counts(kDigits);
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (std::size_t digit = 0; digit < kDigits; ++digit) ++counts[digit][digit_of(bits, digit)];
  }
  std::vector<double> other(values.size());
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    Counts& begins = counts[digit];
    const std::size_t first = digit_of(std::bit_cast<std::uint64_t>(values.front()), digit);
    if (begins[first] == values.size()) continue;  // all have this digit
    std::uint32_t begin = 0;
    for (std::uint32_t& count : begins) begin += std::exchange(count, begin);
    for (const double value : values) {
      other[begins[digit_of(std::bit_cast<std::uint64_t>(value), digit)]++] = value;
    }
    values.swap(other);
  }
}

}  // namespace sosie
