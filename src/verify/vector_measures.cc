#include "verify/vector_measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "core/find_by_name.h"
#include "core/real_functions.h"
#include "kernels/component_sums.h"

// TABLE: every measure of vectors, once.
namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

// Calls with pointers to both rows; the columns are of one type.
template <typename Use>
VectorSums with_rows(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                     std::size_t right_row, Use use) {
  return std::visit(
      [&](const auto& components) {
        const auto& others = *std::get_if<std::decay_t<decltype(components)>>(&right.components);
        return use(components.data() + left_row * left.dimension,
                   others.data() + right_row * right.dimension, left.dimension);
      },
      left.components);
}

VectorSums angle_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                      std::size_t right_row) {
  return with_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.dot = kernels::dot_product(x, y, n);
    return sums;
  });
}

VectorSums difference_sums(const VectorColumn& left, std::size_t left_row,
                           const VectorColumn& right, std::size_t right_row) {
  return with_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.difference_square = kernels::square_distance(x, y, n);
    return sums;
  });
}

VectorSums absolute_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                         std::size_t right_row) {
  return with_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.difference_sum = kernels::sum_of_differences(x, y, n);
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
      sums.difference_most =
          std::max(sums.difference_most, difference < 0 ? -difference : difference);
    }
    return sums;
  });
}

double cosine_value(const VectorSums& sums) noexcept {
  const double cosine = sums.dot / std::sqrt(sums.left_square * sums.right_square);
  return std::clamp(cosine, -1.0, 1.0);
}

bool cosine_reaches(const VectorSums& sums, const Rational& bound, bool exact) noexcept {
  if (!exact) return cosine_value(sums) >= bound.value();
  if (sums.dot < 0) return bound.num == 0 && sums.dot == 0;
  const auto dot = static_cast<Wide>(sums.dot);
  return dot * dot * bound.den * bound.den >= static_cast<Wide>(sums.left_square) *
                                                  static_cast<Wide>(sums.right_square) * bound.num *
                                                  bound.num;
}

double angle_value(const VectorSums& sums) noexcept {
  return arc_cosine_degrees(cosine_value(sums));
}

bool angle_reaches(const VectorSums& sums, const Rational& bound, bool /*exact*/) noexcept {
  return angle_value(sums) <= bound.value();
}

double euclidean_value(const VectorSums& sums) noexcept {
  return std::sqrt(sums.difference_square);
}

bool euclidean_reaches(const VectorSums& sums, const Rational& bound, bool exact) noexcept {
  if (!exact) return euclidean_value(sums) <= bound.value();
  return static_cast<Wide>(sums.difference_square) * bound.den * bound.den <=
         static_cast<Wide>(bound.num) * bound.num;
}

bool integer_reaches(double value, const Rational& bound, bool exact) noexcept {
  if (!exact) return value <= bound.value();
  return static_cast<Wide>(value) * bound.den <= bound.num;
}

double manhattan_value(const VectorSums& sums) noexcept { return sums.difference_sum; }
bool manhattan_reaches(const VectorSums& sums, const Rational& bound, bool exact) noexcept {
  return integer_reaches(sums.difference_sum, bound, exact);
}

double chebyshev_value(const VectorSums& sums) noexcept { return sums.difference_most; }
bool chebyshev_reaches(const VectorSums& sums, const Rational& bound, bool exact) noexcept {
  return integer_reaches(sums.difference_most, bound, exact);
}

double itself(std::size_t /*dimension*/) noexcept { return 1; }
double root_of_dimension(std::size_t dimension) noexcept {
  return std::sqrt(static_cast<double>(dimension));
}

constexpr std::array kVectorMeasures = {
    VectorMeasure{.name = "cosine",
                  .source = "cosine of the angle (MMDS 3.5.4)",
                  .is_similarity = true,
                  .needs_length = true,
                  .sums = angle_sums,
                  .value = cosine_value,
                  .reaches = cosine_reaches,
                  .euclidean_factor = nullptr},
    VectorMeasure{.name = "angle",
                  .source = "angle in degrees (MMDS 3.5.4)",
                  .is_similarity = false,
                  .needs_length = true,
                  .sums = angle_sums,
                  .value = angle_value,
                  .reaches = angle_reaches,
                  .euclidean_factor = nullptr},
    VectorMeasure{.name = "euclidean",
                  .source = "L2 (MMDS 3.5.2)",
                  .is_similarity = false,
                  .needs_length = false,
                  .sums = difference_sums,
                  .value = euclidean_value,
                  .reaches = euclidean_reaches,
                  .euclidean_factor = itself},
    VectorMeasure{.name = "manhattan",
                  .source = "L1 (MMDS 3.5.2); never below L2",
                  .is_similarity = false,
                  .needs_length = false,
                  .sums = absolute_sums,
                  .value = manhattan_value,
                  .reaches = manhattan_reaches,
                  .euclidean_factor = itself},
    VectorMeasure{.name = "chebyshev",
                  .source = "L-infinity (MMDS 3.5.2); L2 is at most sqrt(dimension) times it",
                  .is_similarity = false,
                  .needs_length = false,
                  .sums = absolute_sums,
                  .value = chebyshev_value,
                  .reaches = chebyshev_reaches,
                  .euclidean_factor = root_of_dimension},
};

}  // namespace

std::span<const VectorMeasure> vector_measures() noexcept { return kVectorMeasures; }

const VectorMeasure* vector_measure_by_name(std::string_view name) noexcept {
  return find_by_name(vector_measures(), name);
}

bool has_integer_sums(const VectorColumn& column) noexcept {
  return std::holds_alternative<std::vector<std::int8_t>>(column.components) ||
         std::holds_alternative<std::vector<std::uint8_t>>(column.components);
}

double squared_length(const VectorColumn& column, std::size_t row) {
  return with_rows(column, row, column, row,
                   [](auto* x, auto* y, std::size_t n) {
                     VectorSums sums;
                     sums.left_square = kernels::dot_product(x, y, n);
                     return sums;
                   })
      .left_square;
}

}  // namespace sosie
