// Sides of a join of vectors: bounds of a measure as distances and cosines, and sums of two rows.
#include "join/vectors/vector_sides.h"

#include <algorithm>
#include <cmath>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr std::size_t kCopiedRowsATask = 4096;
// Exceeds the rounding error of the cosine of an angle in degrees.
constexpr double kAngleSlack = 1e-9;
// Exceed the rounding errors in a measure's decision: of the squared distance of unit vectors, and
// of a distance relative to it.
constexpr double kSquareSlack = 1e-10;
constexpr double kDistanceSlack = 1e-11;

// The lowest cosine of vectors whose angle is at most `degrees`, found by bisection of the deciding
// function.
double least_cosine_of(double degrees) {
  double low = -1;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    (arc_cosine_degrees(middle) <= degrees ? high : low) = middle;
  }
  return low - kAngleSlack;
}

}  // namespace

VectorSides::VectorSides(const VectorSubset& left, const std::optional<VectorSubset>& right,
                         const VectorMeasure& measure)
    : left_(left),
      right_(right.value_or(left)),
      measure_(measure),
      is_self_(!right),
      exact_(has_integer_sums(*left.column)) {}

double VectorSides::least_cosine(double bound) const {
  return measure_.is_similarity ? bound : least_cosine_of(bound);
}

double VectorSides::most_distance(double bound) const noexcept {
  return bound * measure_.euclidean_factor(left_.column->dimension);
}

// For unit vectors, |x - y|^2 = 2 - 2 cos.
double VectorSides::byte_distance(double bound) const {
  if (!by_angle()) return most_distance(bound) * (1 + kDistanceSlack);
  return std::sqrt(std::max(0.0, 2 - 2 * least_cosine(bound)) + kSquareSlack);
}

ByteScale VectorSides::byte_scale() const {
  return byte_scale_of({.left = left_,
                        .right = is_self_ ? std::nullopt : std::optional(right_),
                        .of_length_one = by_angle()});
}

VectorSums VectorSides::sums(std::size_t left_row, std::size_t right_row) const {
  VectorSums sums = sums_between(measure_, *left_.column, left_.row(left_row), *right_.column,
                                 right_.row(right_row));
  sums.left_square = left_.square(left_row);
  sums.right_square = right_.square(right_row);
  return sums;
}

std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool) {
  std::vector<double> squares(column.rows);
  pool.for_each((column.rows + kCopiedRowsATask - 1) / kCopiedRowsATask,
                [&](unsigned /*worker*/, std::size_t i) {
                  const std::size_t end = std::min(column.rows, (i + 1) * kCopiedRowsATask);
                  for (std::size_t row = i * kCopiedRowsATask; row < end; ++row)
                    squares[row] = squared_length(column, row);
                });
  return squares;
}

}  // namespace sosie
