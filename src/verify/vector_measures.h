#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "core/rational.h"
#include "data/columns.h"
#include "data/measure.h"

namespace sosie {

// Sums over the components of two vectors. For 8-bit components, they are exact integers; for
// others, they are doubles, added in a fixed order.
struct VectorSums {
  double left_square = 0;  // squared length; filled in by the caller (squared_length())
  double right_square = 0;
  double dot = 0;
  double difference_square = 0;  // in units of the square of difference_scale
  double difference_scale = 1;   // a power of two; not 1 if squares would leave the range of double
  double difference_sum = 0;     // sum of absolute differences
  double difference_most = 0;    // the largest absolute difference
  double different = 0;          // number of components that are not equal
  double order = 0;              // r of an L_r distance
  double difference_root = 0;    // that distance
  // The number of which difference_root is the r-th root, if r is an integer. Exact for integers
  // below 2^53; infinite if it is not known.
  double difference_power = 0;
  double total = 0;  // the value itself, for measures that need nothing else
};

// A measure of vectors with its parameter, created from a row of the table of measures
// (verify/measures.h).
struct VectorMeasure {
  std::string_view name = {};  // without parameters
  bool is_similarity = false;  // larger values are nearer; otherwise, a distance
  bool needs_length = false;   // a vector of zeros has no direction
  // Computes the sums that the measure needs, without squared lengths.
  VectorSums (*sums)(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                     std::size_t right_row, double parameter) = nullptr;
  double (*value)(const VectorSums& sums) noexcept = nullptr;
  // Returns true if the value reaches the bound (is at least as similar, or at most as distant).
  // `exact`: the sums are integers, so the decision is exact, unless the bound has more digits than
  // its terms.
  bool (*reaches)(const VectorSums& sums, const Bound& bound, bool exact) noexcept = nullptr;
  // Factor by which this distance must be multiplied to bound the Euclidean distance.
  double (*euclidean_factor)(std::size_t dimension) noexcept = nullptr;  // null: depends on angles
  bool can_filter = true;        // dot products identify near vectors; else all pairs are measured
  bool nearest_is_equal = true;  // an equal vector is always the nearest
  double parameter = 0;          // R of minkowski:R

  // The measure's name if a vector of zeros has no value; otherwise, empty.
  [[nodiscard]] std::string_view without_zeros() const noexcept {
    return needs_length ? name : std::string_view{};
  }
};

// Rows of the table of measures.
[[nodiscard]] std::optional<VectorMeasure> cosine_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> angle_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> euclidean_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> manhattan_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> chebyshev_measure(MeasureParameters parameters);
// L_r for R from 1 to 1000; nullopt otherwise.
[[nodiscard]] std::optional<VectorMeasure> minkowski_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> hamming_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<VectorMeasure> dot_measure(MeasureParameters parameters);

// Makes `reaches` interpret a bound -x as x, for a measure whose values can be below 0.
void take_bounds_below_zero(VectorMeasure& measure) noexcept;
// The sums of two vectors that the measure needs, without squared lengths.
[[nodiscard]] VectorSums sums_between(const VectorMeasure& measure, const VectorColumn& left,
                                      std::size_t left_row, const VectorColumn& right,
                                      std::size_t right_row);

// True if sums over this column are integers.
[[nodiscard]] bool has_integer_sums(const VectorColumn& column) noexcept;

// The squared length of a vector, for VectorSums.
[[nodiscard]] double squared_length(const VectorColumn& column, std::size_t row);

// Calls use(x, y, n) with pointers to the n components of both rows; both columns have the same
// type.
template <typename Use>
auto with_vector_rows(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                      std::size_t right_row, Use use) {
  return std::visit(
      [&](const auto& components) {
        const auto& others = *std::get_if<std::decay_t<decltype(components)>>(&right.components);
        return use(components.data() + left_row * left.dimension,
                   others.data() + right_row * right.dimension, left.dimension);
      },
      left.components);
}

}  // namespace sosie
