#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/mix64.h"
#include "core/thread_pool.h"
#include "join/items_test.h"
#include "join/vectors/vector_sides.h"
#include "verify/measures.h"

// Random columns of vectors for tests, with their pairs computed from the definition.
namespace sosie {

// All measures of vectors.
inline constexpr std::array<std::string_view, 10> kVectorMeasures = {
    "cosine",      "angle",         "euclidean", "manhattan", "chebyshev",
    "minkowski:3", "minkowski:1.5", "canberra",  "hamming",   "dot"};

enum class ComponentType : std::uint8_t { int8, uint8, float32, float64 };
inline constexpr std::array kComponentTypes = {ComponentType::int8, ComponentType::uint8,
                                               ComponentType::float32, ComponentType::float64};

// Vectors with the squared lengths needed for joins.
struct TestVectors {
  VectorColumn column;
  std::vector<double> squares;

  [[nodiscard]] VectorSubset all() const { return all_of(column, squares); }
};

inline TestVectors with_squares(VectorColumn column) {
  ThreadPool pool(1, nullptr);
  TestVectors vectors{std::move(column), {}};
  vectors.squares = squared_lengths(vectors.column, pool);
  return vectors;
}

// Components that fit in all types, except that some are negative or have fractions.
inline double random_component(std::uint64_t drawn, ComponentType type) {
  const auto small = static_cast<double>(drawn % 9);
  const bool is_large = drawn / 9 % 50 == 0;
  if (type == ComponentType::uint8) return is_large ? 255 : small;
  if (is_large) return drawn % 2 == 0 ? 127 : -128;
  return type == ComponentType::int8 ? small - 4 : (small - 4) / 8;
}

// Many rows are near or equal to earlier rows; no row is all zeros.
inline TestVectors random_vectors(std::uint64_t seed, std::size_t rows, std::size_t dimension,
                                  ComponentType type) {
  std::uint64_t next = 0;
  const auto draw = [&] { return random64(seed, next++); };
  std::vector<double> all;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> vector(dimension);
    if (row > 0 && draw() % 3 > 0) {
      const auto from = static_cast<std::ptrdiff_t>(draw() % row * dimension);
      std::copy_n(all.begin() + from, dimension, vector.begin());
      for (std::uint64_t edits = draw() % 4; edits > 0; --edits) {
        vector[draw() % dimension] = random_component(draw(), type);
      }
    } else {
      for (double& component : vector) component = random_component(draw(), type);
    }
    if (std::count(vector.begin(), vector.end(), 0.0) == static_cast<std::ptrdiff_t>(dimension)) {
      vector[0] = 1;
    }
    all.insert(all.end(), vector.begin(), vector.end());
  }
  VectorColumn column{rows, dimension, {}};
  const auto fill = [&](auto component) {
    column.components = std::vector<decltype(component)>(all.begin(), all.end());
  };
  if (type == ComponentType::int8) fill(std::int8_t{});
  if (type == ComponentType::uint8) fill(std::uint8_t{});
  if (type == ComponentType::float32) fill(float{});
  if (type == ComponentType::float64) fill(double{});
  return with_squares(std::move(column));
}

// Rows of two sides, or of one.
struct TestSides {
  VectorSubset left;
  std::optional<VectorSubset> right;

  // Calls each(left place, right place) for all pairs, sorted by (left, right).
  template <class Each>
  void for_each_pair(const Each& each) const {
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      const auto end = static_cast<std::uint32_t>(right.value_or(left).size());
      for (std::uint32_t j = right ? 0 : i + 1; j < end; ++j) each(i, j);
    }
  }
  [[nodiscard]] VectorSums sums(const VectorMeasure& measure, std::size_t i, std::size_t j) const {
    const VectorSubset& others = right ? *right : left;
    VectorSums sums =
        sums_between(measure, *left.column, left.row(i), *others.column, others.row(j));
    sums.left_square = left.square(i);
    sums.right_square = others.square(j);
    return sums;
  }
};

// The pairs that reach a bound, sorted by (left, right).
inline ValuedPairs pairs_within(const TestSides& sides, const VectorMeasure& measure,
                                const Rational& bound) {
  ValuedPairs pairs;
  const bool exact = has_integer_sums(*sides.left.column);
  sides.for_each_pair([&](std::uint32_t i, std::uint32_t j) {
    const VectorSums sums = sides.sums(measure, i, j);
    if (measure.reaches(sums, bound, exact)) pairs.emplace_back(i, j, measure.value(sums));
  });
  return pairs;
}

// A bound at the value of a pair, as close to it as a fraction can be: exact for integers. It is
// never negative.
inline Rational bound_at(const TestSides& sides, const VectorMeasure& measure, std::size_t i,
                         std::size_t j) {
  constexpr std::uint64_t kDen = 4096;
  const double value = std::max(0.0, measure.value(sides.sums(measure, i, j)));
  const auto num = static_cast<std::uint64_t>(value * kDen);
  const std::uint64_t common = std::gcd(num, kDen);
  return {num / common, kDen / common};
}

}  // namespace sosie
