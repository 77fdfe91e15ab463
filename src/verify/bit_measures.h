#pragma once

#include <optional>
#include <string_view>

#include "core/rational.h"
#include "data/columns.h"
#include "data/measure.h"

namespace sosie {

// Numbers of bits that two strings share, have at all, and differ in.
struct BitCounts {
  std::uint64_t shared = 0;
  std::uint64_t united = 0;

  [[nodiscard]] std::uint64_t different() const noexcept { return united - shared; }
};

// A measure of bit strings. Made of a row of the table of measures (verify/measures.h). All are
// decided in integers. One of sets is what the measure of sets of the same name says of the places
// of ones.
struct BitMeasure {
  std::string_view name = {};
  bool is_similarity = false;
  bool is_of_sets = false;  // a string is a set of bits: one without any matches nothing
  double (*value)(const BitCounts& counts) noexcept = nullptr;
  bool (*reaches)(const BitCounts& counts, const Rational& bound) noexcept = nullptr;
  // The most bits that two strings may differ in to reach the bound, given their ones added up.
  std::uint64_t (*largest_difference)(std::uint64_t ones, const Rational& bound) noexcept = nullptr;
  // So many for a value that value() returned, however doubles round.
  std::uint64_t (*difference_of_value)(std::uint64_t ones, double value) noexcept = nullptr;
};

// Rows of the table of measures.
[[nodiscard]] std::optional<BitMeasure> bit_hamming_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<BitMeasure> bit_jaccard_measure(MeasureParameters parameters);

[[nodiscard]] BitCounts count_bits(const std::uint64_t* left, const std::uint64_t* right,
                                   std::size_t words) noexcept;

}  // namespace sosie
