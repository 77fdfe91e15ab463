// Rescales rows of doubles whose squares and products would leave the range of doubles.
#include "verify/bring_into_range.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sosie {
namespace {

// The product of the squared lengths of two rows with 2^17 components of this size is below 2^1000.
constexpr int kMostExponent = 240;
// A row outside this range is scaled to an exponent between these two, which depends on the
// remainder of its own exponent, so that dissimilar rows hardly ever become similar.
constexpr int kNewExponent = 200;
constexpr int kNewExponents = 40;

// Between these lengths, the squares of 127 / length and 2^31 / length are within the range of
// doubles.
constexpr double kLeastSafeSquare = 0x1p-800;
constexpr double kMostSafeSquare = 0x1p800;

int new_exponent_of(int exponent) noexcept {
  const int size = kNewExponent + std::abs(exponent) % kNewExponents;
  return exponent < 0 ? -size : size;
}

// The largest absolute value, computed in lanes that a processor handles together.
double largest_of(std::span<const double> row) noexcept {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> most{};
  std::size_t i = 0;
  for (; i + kLanes <= row.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double x = std::fabs(row[i + lane]);
      most[lane] = x > most[lane] ? x : most[lane];
    }
  }
  for (; i < row.size(); ++i) most[0] = std::max(most[0], std::fabs(row[i]));
  return *std::max_element(most.begin(), most.end());
}

}  // namespace

bool bring_into_range(std::span<double> row) noexcept {
  const double most = largest_of(row);
  if (most == 0) return false;
  int exponent = 0;
  (void)std::frexp(most, &exponent);  // exact
  if (exponent >= -kMostExponent && exponent <= kMostExponent) return true;
  const int shift = new_exponent_of(exponent) - exponent;
  for (double& x : row) x = std::ldexp(x, shift);  // exact, except for negligible values
  return true;
}

void bring_into_range(VectorColumn& column) noexcept {
  auto* components = std::get_if<std::vector<double>>(&column.components);
  if (components == nullptr) return;
  for (std::size_t row = 0; row < column.rows; ++row) {
    (void)bring_into_range(
        std::span(*components).subspan(row * column.dimension, column.dimension));
  }
}

bool are_out_of_range(const VectorColumn& column, std::span<const double> squares) noexcept {
  if (!std::holds_alternative<std::vector<double>>(column.components) || squares.empty()) {
    return false;
  }
  const double most = *std::max_element(squares.begin(), squares.end());
  return !(most >= kLeastSafeSquare && most <= kMostSafeSquare);
}

}  // namespace sosie
