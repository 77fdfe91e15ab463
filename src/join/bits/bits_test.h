#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "core/mix64.h"
#include "join/items_test.h"
#include "verify/measures.h"

// Random columns of bit strings for tests, with their pairs computed from the definition.
namespace sosie {

// Rows many of which are near or equal to earlier ones.
inline BitColumn random_bits(std::uint64_t seed, std::size_t rows, std::size_t bits) {
  std::uint64_t next = 0;
  const auto draw = [&] { return random64(seed, next++); };
  BitColumn column{rows, bits, (bits + 63) / 64, {}};
  const std::uint64_t last =
      bits % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits % 64) - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = column.data.size();
    const bool is_near = row > 0 && draw() % 3 > 0;
    const std::size_t from = is_near ? draw() % row * column.words : 0;
    for (std::size_t word = 0; word < column.words; ++word) {
      column.data.push_back(is_near ? column.data[from + word] : draw());
    }
    column.data.back() &= last;
    for (std::uint64_t flips = is_near ? draw() % 4 : 0; flips > 0; --flips) {
      const std::uint64_t bit = draw() % bits;
      column.data[begin + bit / 64] ^= std::uint64_t{1} << bit % 64;
    }
  }
  return column;
}

inline BitCounts counts_of(const BitColumn& column, std::size_t left, std::size_t right) {
  BitCounts counts;
  for (std::size_t bit = 0; bit < column.bits; ++bit) {
    const std::uint64_t a = column.row(left)[bit / 64] >> bit % 64 & 1;
    const std::uint64_t b = column.row(right)[bit / 64] >> bit % 64 & 1;
    counts.shared += a & b;
    counts.united += a | b;
  }
  return counts;
}

// Calls each(left, right) for every pair of rows of the two sides, sorted by (left, right).
template <class Each>
void for_each_pair(const JoinSides& sides, const Each& each) {
  for (RowId left = sides.left.begin; left < sides.left.end; ++left) {
    const RowRange rights = sides.right.value_or(RowRange{left + 1, sides.left.end});
    for (RowId right = rights.begin; right < rights.end; ++right) each(left, right);
  }
}

// The pairs that reach a bound, by (left, right).
inline ValuedPairs pairs_within(const BitColumn& column, const JoinSides& sides,
                                const BitMeasure& measure, const Rational& bound) {
  ValuedPairs pairs;
  for_each_pair(sides, [&](RowId left, RowId right) {
    const BitCounts counts = counts_of(column, left, right);
    if (measure.reaches(counts, bound)) pairs.emplace_back(left, right, measure.value(counts));
  });
  return pairs;
}

}  // namespace sosie
