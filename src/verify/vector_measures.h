#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/rational.h"
#include "data/vector_column.h"

namespace sosie {

// Sums over the components of two vectors. Of 8-bit components they are exact integers; else they
// are doubles added up in one fixed order.
struct VectorSums {
  double left_square = 0;  // squared length; filled in by who knows it (squared_length())
  double right_square = 0;
  double dot = 0;
  double difference_square = 0;  // in units of the square of difference_scale
  double difference_scale = 1;   // a power of two; not 1 where squares would leave the doubles
  double difference_sum = 0;     // of absolute differences
  double difference_most = 0;    // the greatest absolute difference
  double different = 0;          // components that are not equal
  double order = 0;              // r of an L_r distance, and then:
  double difference_root = 0;    // that distance
  // What difference_root is the root of, if r is whole: exact of whole numbers while it is below
  // 2^53. Infinite if it is not known.
  double difference_power = 0;
};

// A row of the table of measures of vectors (verify/vector_measures.cc).
struct VectorMeasure {
  std::string_view name;
  std::string_view source;
  bool is_similarity;  // the greater the nearer; else a distance
  bool needs_length;   // a vector of zeros has no direction
  // Those of the sums that it asks for, but the squared lengths.
  VectorSums (*sums)(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                     std::size_t right_row);
  double (*value)(const VectorSums& sums) noexcept;
  // Whether the value reaches the bound (at least as similar, at most as distant). `exact`: the
  // sums are integers, and so is the decision.
  bool (*reaches)(const VectorSums& sums, const Rational& bound, bool exact) noexcept;
  // Vectors at this distance are within a Euclidean distance of this many times it.
  double (*euclidean_factor)(std::size_t dimension) noexcept;  // null: it is a matter of angles
  bool can_filter = true;        // products of vectors tell the near ones; else all are measured
  bool nearest_is_equal = true;  // nothing is nearer to a vector than an equal one
  double order = 0;              // of minkowski:R, and then this in place of `sums`:
  VectorSums (*sums_of_order)(const VectorColumn& left, std::size_t left_row,
                              const VectorColumn& right, std::size_t right_row,
                              double order) = nullptr;
};

// Those without a parameter, and one row that stands for minkowski:R.
[[nodiscard]] std::span<const VectorMeasure> vector_measures() noexcept;
// "minkowski:R" is L_r for R from 1 to 1000 (2.5, 5/2); of order 1 it is manhattan, of order 2
// euclidean. Nothing when there is no such measure.
[[nodiscard]] std::optional<VectorMeasure> vector_measure_by_name(std::string_view name);
// Has `reaches` take a bound -x as x, of a measure whose values can be below 0.
void take_bounds_below_zero(VectorMeasure& measure) noexcept;
// As it is asked for: "euclidean", "minkowski:R".
[[nodiscard]] std::string shown_name(const VectorMeasure& measure);

// What the measure asks of two vectors, but the squared lengths.
[[nodiscard]] VectorSums sums_between(const VectorMeasure& measure, const VectorColumn& left,
                                      std::size_t left_row, const VectorColumn& right,
                                      std::size_t right_row);

// Whether sums over this column are integers.
[[nodiscard]] bool has_integer_sums(const VectorColumn& column) noexcept;

// The squared length of one vector, for VectorSums.
[[nodiscard]] double squared_length(const VectorColumn& column, std::size_t row);

}  // namespace sosie
