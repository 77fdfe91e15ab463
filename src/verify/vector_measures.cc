// Measures of vectors: sums over components, and decisions.
#include "verify/vector_measures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/real_functions.h"
#include "kernels/dot_product.h"

namespace sosie {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kGreatestOrder = 1000;
// Between these limits, sums of squares have lost nothing to overflow or underflow.
constexpr double kLeastSquare = 0x1p-900;
constexpr double kMostSquare = 0x1p1000;
// Powers below this may have lost all digits.
constexpr double kLeastPower = std::numeric_limits<double>::min();

VectorSums angle_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                      std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.dot = kernels::dot_product(x, y, n);
    return sums;
  });
}

double absolute(double x) noexcept { return x < 0 ? -x : x; }

// The largest absolute component.
double greatest(const double* x, std::size_t n) noexcept {
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, absolute(x[i]));
  return most;
}

// The exponent of the power of two that scales `most` into [1, 2) by division; `most` must be
// finite and above 0.
int exponent_of(double most) noexcept {
  int exponent = 0;
  (void)std::frexp(most, &exponent);  // exact
  return exponent - 1;
}

// The sum of squares in units of the largest difference, for sums outside the range of doubles.
VectorSums scaled_difference(const double* x, const double* y, std::size_t n) noexcept {
  VectorSums sums;
  double most = 0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, absolute(x[i] - y[i]));
  if (most == 0) return sums;
  if (most == kInfinite) {  // farther than doubles can express
    sums.difference_square = kInfinite;
    return sums;
  }
  sums.difference_scale = std::ldexp(1.0, exponent_of(most));  // exact
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = (x[i] - y[i]) / sums.difference_scale;
    sums.difference_square += difference * difference;
  }
  return sums;
}

// Products outside the range of doubles may have either sign, so they are summed in units of the
// largest components; the sum overflows only if it is too large itself.
double scaled_dot(const double* x, const double* y, std::size_t n) noexcept {
  const int left = exponent_of(greatest(x, n));
  const int right = exponent_of(greatest(y, n));
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::ldexp(x[i], -left) * std::ldexp(y[i], -right);
  return std::ldexp(sum, left + right);
}

VectorSums dot_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                    std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.dot = kernels::dot_product(x, y, n);
    if constexpr (std::is_same_v<decltype(x), const double*>) {
      if (!std::isfinite(sums.dot)) sums.dot = scaled_dot(x, y, n);
    }
    return sums;
  });
}

VectorSums difference_sums(const VectorColumn& left, std::size_t left_row,
                           const VectorColumn& right, std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    sums.difference_square = kernels::square_distance(x, y, n);
    if constexpr (std::is_same_v<decltype(x), const double*>) {
      const double square = sums.difference_square;
      if (!(square >= kLeastSquare && square <= kMostSquare)) return scaled_difference(x, y, n);
    }
    return sums;
  });
}

VectorSums absolute_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                         std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
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

VectorSums different_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                          std::size_t right_row, double /*parameter*/) {
  return with_vector_rows(left, left_row, right, right_row, [](auto* x, auto* y, std::size_t n) {
    VectorSums sums;
    for (std::size_t i = 0; i < n; ++i) sums.different += x[i] != y[i] ? 1 : 0;
    return sums;
  });
}

bool is_whole(double x) noexcept { return x == static_cast<double>(static_cast<int>(x)); }

// x^order for x >= 0.
double power(double x, double order) noexcept {
  if (!is_whole(order)) return x == 0 ? 0 : exponential(order * logarithm(x));
  double result = 1;
  for (int i = static_cast<int>(order); i > 0; i /= 2, x *= x) {
    if (i % 2 == 1) result *= x;
  }
  return result;
}

// Powers of the differences relative to the largest one, so that none is too large.
template <typename T>
double root_of_powers(const T* x, const T* y, std::size_t n, const VectorSums& sums) noexcept {
  if (sums.difference_most == 0 || sums.difference_most == kInfinite) return sums.difference_most;
  double parts = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
    parts += power((difference < 0 ? -difference : difference) / sums.difference_most, sums.order);
  }
  return sums.difference_most * exponential(logarithm(parts) / sums.order);
}

VectorSums power_sums(const VectorColumn& left, std::size_t left_row, const VectorColumn& right,
                      std::size_t right_row, double order) {
  return with_vector_rows(
      left, left_row, right, right_row, [order](auto* x, auto* y, std::size_t n) {
        VectorSums sums;
        sums.order = order;
        for (std::size_t i = 0; i < n; ++i) {
          const double signed_one = static_cast<double>(x[i]) - static_cast<double>(y[i]);
          const double difference = signed_one < 0 ? -signed_one : signed_one;
          sums.difference_most = std::max(sums.difference_most, difference);
          if (is_whole(order)) sums.difference_power += power(difference, order);
        }
        if (!is_whole(order)) sums.difference_power = kInfinite;
        sums.difference_root = root_of_powers(x, y, n, sums);
        return sums;
      });
}

bool is_integer_up_to(double x, double most) noexcept {
  return x <= most && x == static_cast<double>(static_cast<std::uint64_t>(x));
}

// The root of above / below, 0 < above < below: equal fractions give the same double, regardless of
// their terms.
double root_of_fraction(std::uint64_t above, std::uint64_t below) noexcept {
  int shift = std::countl_zero(above) - std::countl_zero(below);
  if (above << shift >= below) --shift;
  const Wide scaled = static_cast<Wide>(above << shift) << 64;
  const auto quotient = static_cast<double>(static_cast<std::uint64_t>(scaled / below));
  return std::sqrt(std::ldexp(quotient, -64 - shift));
}

// Vectors with the same direction but different lengths have the same cosine with another vector.
// It must be exactly the same number, so that ties are in input order. For whole numbers, it is.
std::optional<double> whole_cosine(const VectorSums& sums) noexcept {
  const double size = absolute(sums.dot);
  if (!is_integer_up_to(size, 0x1p31) || !is_integer_up_to(sums.left_square, 0x1p62) ||
      !is_integer_up_to(sums.right_square, 0x1p62) ||
      sums.left_square * sums.right_square > 0x1p62) {
    return std::nullopt;
  }
  const auto dot = static_cast<std::uint64_t>(size);
  const std::uint64_t above = dot * dot;
  const std::uint64_t below =
      static_cast<std::uint64_t>(sums.left_square) * static_cast<std::uint64_t>(sums.right_square);
  if (above == 0 || above > below) return std::nullopt;
  const double cosine = above == below ? 1 : root_of_fraction(above, below);
  return sums.dot < 0 ? -cosine : cosine;
}

double cosine_value(const VectorSums& sums) noexcept {
  if (const auto cosine = whole_cosine(sums)) return *cosine;
  const double cosine = sums.dot / std::sqrt(sums.left_square * sums.right_square);
  return std::clamp(cosine, -1.0, 1.0);
}

bool cosine_reaches(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  if (!(exact && bound.is_whole)) return cosine_value(sums) >= bound.value();
  if (sums.dot < 0) return bound.num == 0 && sums.dot == 0;
  const auto dot = static_cast<Wide>(sums.dot);
  return dot * dot * bound.den * bound.den >= static_cast<Wide>(sums.left_square) *
                                                  static_cast<Wide>(sums.right_square) * bound.num *
                                                  bound.num;
}

double angle_value(const VectorSums& sums) noexcept {
  return arc_cosine_degrees(cosine_value(sums));
}

bool angle_reaches(const VectorSums& sums, const Bound& bound, bool /*exact*/) noexcept {
  return angle_value(sums) <= bound.value();
}

double euclidean_value(const VectorSums& sums) noexcept {
  return std::sqrt(sums.difference_square) * sums.difference_scale;
}

bool euclidean_reaches(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  if (!(exact && bound.is_whole)) return euclidean_value(sums) <= bound.value();
  return static_cast<Wide>(sums.difference_square) * bound.den * bound.den <=
         static_cast<Wide>(bound.num) * bound.num;
}

bool integer_reaches(double value, const Bound& bound, bool exact) noexcept {
  if (!(exact && bound.is_whole)) return value <= bound.value();
  return static_cast<Wide>(value) * bound.den <= bound.num;
}

double manhattan_value(const VectorSums& sums) noexcept { return sums.difference_sum; }
bool manhattan_reaches(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  return integer_reaches(sums.difference_sum, bound, exact);
}

double chebyshev_value(const VectorSums& sums) noexcept { return sums.difference_most; }
bool chebyshev_reaches(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  return integer_reaches(sums.difference_most, bound, exact);
}

double hamming_value(const VectorSums& sums) noexcept { return sums.different; }
bool hamming_reaches(const VectorSums& sums, const Bound& bound, bool /*exact*/) noexcept {
  return integer_reaches(sums.different, bound, true);
}

double minkowski_value(const VectorSums& sums) noexcept { return sums.difference_root; }

// Compares powers if the order is a whole number and both powers are known; exact for small whole
// numbers.
bool minkowski_reaches(const VectorSums& sums, const Bound& bound, bool /*exact*/) noexcept {
  const double most = is_whole(sums.order) ? power(bound.value(), sums.order) : kInfinite;
  const bool known = most >= kLeastPower && most < kInfinite && sums.difference_power < kInfinite;
  if (known) return sums.difference_power <= most;
  return sums.difference_root <= bound.value();
}

double dot_value(const VectorSums& sums) noexcept { return sums.dot; }
bool dot_reaches(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  if (!(exact && bound.is_whole)) return sums.dot >= bound.value();
  return sums.dot >= 0 && static_cast<Wide>(sums.dot) * bound.den >= bound.num;
}

// The bound is below 0 by this amount.
bool dot_reaches_below(const VectorSums& sums, const Bound& bound, bool exact) noexcept {
  if (!(exact && bound.is_whole)) return sums.dot >= -bound.value();
  return sums.dot >= 0 || static_cast<Wide>(-sums.dot) * bound.den <= bound.num;
}

double itself(std::size_t /*dimension*/) noexcept { return 1; }
double root_of_dimension(std::size_t dimension) noexcept {
  return std::sqrt(static_cast<double>(dimension));
}

}  // namespace

std::optional<VectorMeasure> cosine_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.needs_length = true,
                       .sums = angle_sums,
                       .value = cosine_value,
                       .reaches = cosine_reaches,
                       .euclidean_factor = nullptr};
}

std::optional<VectorMeasure> angle_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.needs_length = true,
                       .sums = angle_sums,
                       .value = angle_value,
                       .reaches = angle_reaches,
                       .euclidean_factor = nullptr};
}

std::optional<VectorMeasure> euclidean_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = difference_sums,
                       .value = euclidean_value,
                       .reaches = euclidean_reaches,
                       .euclidean_factor = itself};
}

std::optional<VectorMeasure> manhattan_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = absolute_sums,
                       .value = manhattan_value,
                       .reaches = manhattan_reaches,
                       .euclidean_factor = itself};
}

std::optional<VectorMeasure> chebyshev_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = absolute_sums,
                       .value = chebyshev_value,
                       .reaches = chebyshev_reaches,
                       .euclidean_factor = root_of_dimension};
}

// L_r never exceeds L_s for a smaller s, and L2 is at most n^(1/2 - 1/r) times L_r for a larger r.
std::optional<VectorMeasure> minkowski_measure(MeasureParameters parameters) {
  const double order = parameters[0].value();
  if (order < 1 || order > kGreatestOrder) return std::nullopt;
  return VectorMeasure{.sums = power_sums,
                       .value = minkowski_value,
                       .reaches = minkowski_reaches,
                       .euclidean_factor = order < 2 ? itself : root_of_dimension,
                       .parameter = order};
}

std::optional<VectorMeasure> hamming_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = different_sums,
                       .value = hamming_value,
                       .reaches = hamming_reaches,
                       .euclidean_factor = itself,
                       .can_filter = false};
}

std::optional<VectorMeasure> dot_measure(MeasureParameters /*parameters*/) {
  return VectorMeasure{.sums = dot_sums,
                       .value = dot_value,
                       .reaches = dot_reaches,
                       .euclidean_factor = itself,
                       .can_filter = false,
                       .nearest_is_equal = false};
}

void take_bounds_below_zero(VectorMeasure& measure) noexcept {
  if (measure.reaches == dot_reaches) measure.reaches = dot_reaches_below;
}

VectorSums sums_between(const VectorMeasure& measure, const VectorColumn& left,
                        std::size_t left_row, const VectorColumn& right, std::size_t right_row) {
  return measure.sums(left, left_row, right, right_row, measure.parameter);
}

bool has_integer_sums(const VectorColumn& column) noexcept {
  return std::holds_alternative<std::vector<std::int8_t>>(column.components) ||
         std::holds_alternative<std::vector<std::uint8_t>>(column.components);
}

double squared_length(const VectorColumn& column, std::size_t row) {
  return with_vector_rows(column, row, column, row,
                          [](auto* x, auto* y, std::size_t n) {
                            VectorSums sums;
                            sums.left_square = kernels::dot_product(x, y, n);
                            return sums;
                          })
      .left_square;
}

}  // namespace sosie
