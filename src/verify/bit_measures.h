#pragma once

#include <optional>
#include <string_view>

#include "core/rational.h"
#include "data/columns.h"
#include "data/measure.h"

namespace sosie {

// Numbers of bits that are shared by two strings, set in at least one of them, and different.
struct BitCounts {
  std::uint64_t shared = 0;
  std::uint64_t united = 0;

  [[nodiscard]] std::uint64_t different() const noexcept { return united - shared; }
};

// A measure of bit strings, created from a row of the table of measures (verify/measures.h). All
// decisions are made in integers. Set measures compare the sets of the positions of ones, using the
// set measure with the same name.
struct BitMeasure {
  std::string_view name = {};
  bool is_similarity = false;
  bool is_of_sets = false;  // strings are sets of bits; a string without ones matches nothing
  double (*value)(const BitCounts& counts) noexcept = nullptr;
  bool (*reaches)(const BitCounts& counts, const Rational& bound) noexcept = nullptr;
  // Maximum number of bits by which two strings may differ and still reach the bound, given the
  // total number of their ones.
  std::uint64_t (*largest_difference)(std::uint64_t ones, const Rational& bound) noexcept = nullptr;
  // Number of differing bits that corresponds to a result of value(), with rounding corrected.
  std::uint64_t (*difference_of_value)(std::uint64_t ones, double value) noexcept = nullptr;
};

// Rows of the table of measures.
[[nodiscard]] std::optional<BitMeasure> bit_hamming_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<BitMeasure> bit_jaccard_measure(MeasureParameters parameters);

[[nodiscard]] BitCounts count_bits(const std::uint64_t* left, const std::uint64_t* right,
                                   std::size_t words) noexcept;

}  // namespace sosie
