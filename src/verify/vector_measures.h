#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
  double difference_square = 0;
  double difference_sum = 0;   // of absolute differences
  double difference_most = 0;  // the greatest absolute difference
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
};

[[nodiscard]] std::span<const VectorMeasure> vector_measures() noexcept;
[[nodiscard]] const VectorMeasure* vector_measure_by_name(std::string_view name) noexcept;

// Whether sums over this column are integers.
[[nodiscard]] bool has_integer_sums(const VectorColumn& column) noexcept;

// The squared length of one vector, for VectorSums.
[[nodiscard]] double squared_length(const VectorColumn& column, std::size_t row);

}  // namespace sosie
