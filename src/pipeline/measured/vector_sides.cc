#include "pipeline/measured/vector_sides.h"

#include <algorithm>
#include <cmath>

#include "core/real_functions.h"

namespace sosie {
namespace {

constexpr std::size_t kCachedBytes = std::size_t{1} << 18;
constexpr std::size_t kRowsATask = 4096;
// More than the cosine of an angle in degrees can be off.
constexpr double kAngleSlack = 1e-9;
// More than doubles can be off in a measure's decision: of the square of the distance of vectors of
// length one, and of a distance relative to it.
constexpr double kSquareSlack = 1e-10;
constexpr double kDistanceSlack = 1e-11;

// The least cosine of vectors whose angle is at most `degrees`: by bisection of the function that
// decides.
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

VectorSides::VectorSides(const VectorColumn& left, const VectorColumn* right,
                         const VectorMeasure& measure, ThreadPool& pool)
    : left_(left),
      right_(right == nullptr ? left : *right),
      measure_(measure),
      is_self_(right == nullptr),
      exact_(has_integer_sums(left)),
      left_squares_(squared_lengths(left, pool)) {
  if (right != nullptr) right_squares_ = squared_lengths(*right, pool);
}

void VectorSides::make_panels(ThreadPool& pool) {
  double most = 0;
  for (const double square : left_squares_) most = std::max(most, square);
  for (const double square : right_squares_) most = std::max(most, square);
  const auto form =
      by_angle() ? VectorPanels::Form::of_length_one : VectorPanels::Form::as_they_are;
  const double length = std::sqrt(most);
  left_panels_ = std::make_unique<VectorPanels>(left_, form, left_squares_, length, pool);
  if (is_self_) return;
  right_panels_ = std::make_unique<VectorPanels>(right_, form, right_squares_, length, pool);
}

void VectorSides::drop_panels() noexcept {
  left_panels_.reset();
  right_panels_.reset();
}

std::size_t VectorSides::cached_panels() const noexcept {
  const std::size_t panel_bytes =
      right_panels().bytes() / std::max<std::size_t>(1, right_panels().panel_count());
  return std::max<std::size_t>(1, kCachedBytes / std::max<std::size_t>(1, panel_bytes));
}

std::int32_t VectorSides::limit(std::size_t left_row, double bound) const {
  if (by_angle()) return left_panels_->cosine_limit(right_panels(), least_cosine(bound));
  return left_panels_->distance_limit(left_row, right_panels(), most_distance(bound));
}

double VectorSides::least_cosine(double bound) const {
  return measure_.is_similarity ? bound : least_cosine_of(bound);
}

double VectorSides::most_distance(double bound) const noexcept {
  return bound * measure_.euclidean_factor(left_.dimension);
}

// |x - y|^2 = 2 - 2 cos of vectors of length one.
double VectorSides::byte_distance(double bound) const {
  if (!by_angle()) return most_distance(bound) * (1 + kDistanceSlack);
  return std::sqrt(std::max(0.0, 2 - 2 * least_cosine(bound)) + kSquareSlack);
}

ByteScale VectorSides::byte_scale() const {
  return byte_scale_of({.left = &left_,
                        .right = is_self_ ? nullptr : &right_,
                        .left_squares = left_squares_,
                        .right_squares = right_squares_,
                        .of_length_one = by_angle()});
}

VectorSums VectorSides::sums(std::size_t left_row, std::size_t right_row) const {
  VectorSums sums = sums_between(measure_, left_, left_row, right_, right_row);
  sums.left_square = left_squares_[left_row];
  sums.right_square = is_self() ? left_squares_[right_row] : right_squares_[right_row];
  return sums;
}

std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool) {
  std::vector<double> squares(column.rows);
  pool.for_each((column.rows + kRowsATask - 1) / kRowsATask,
                [&](unsigned /*worker*/, std::size_t i) {
                  const std::size_t end = std::min(column.rows, (i + 1) * kRowsATask);
                  for (std::size_t row = i * kRowsATask; row < end; ++row)
                    squares[row] = squared_length(column, row);
                });
  return squares;
}

}  // namespace sosie
