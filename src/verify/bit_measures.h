#pragma once

#include <span>
#include <string_view>

#include "core/rational.h"
#include "data/bit_column.h"

namespace sosie {

// How many bits two strings share, have at all, and differ in.
struct BitCounts {
  std::uint64_t shared = 0;
  std::uint64_t united = 0;

  [[nodiscard]] std::uint64_t different() const noexcept { return united - shared; }
};

// A row of the table of measures of bit strings (verify/bit_measures.cc). All are decided in
// integers.
struct BitMeasure {
  std::string_view name;
  std::string_view source;
  bool is_similarity;
  double (*value)(const BitCounts& counts) noexcept;
  bool (*reaches)(const BitCounts& counts, const Rational& bound) noexcept;
};

[[nodiscard]] std::span<const BitMeasure> bit_measures() noexcept;
[[nodiscard]] const BitMeasure* bit_measure_by_name(std::string_view name) noexcept;

[[nodiscard]] BitCounts count_bits(const std::uint64_t* left, const std::uint64_t* right,
                                   std::size_t words) noexcept;

}  // namespace sosie
