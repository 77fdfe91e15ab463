// Panels of vectors as 16-bit integers, and the limits at which their products tell candidates.
#include "candidates/vector_panels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

// The length that rows are scaled to: their components fit 16 bits, their products 31 bits with
// room for rounding in the largest dimension.
constexpr double kLength = 32767;
// More than doubles can err in computing a bound near 2^31.
constexpr double kDoubleSlack = 4;
constexpr std::int32_t kNoPair = std::numeric_limits<std::int32_t>::max() / 2;

std::int32_t square_limit(double limit) noexcept {
  if (limit > kNoPair) return kNoPair;
  if (limit < kEveryPair) return kEveryPair;
  return static_cast<std::int32_t>(std::floor(limit));
}

}  // namespace

std::size_t VectorPanels::panel_bytes(std::size_t dimension) noexcept {
  return kPanelVectors * ((dimension + 1) / 2) * 2 * sizeof(std::int16_t);
}

VectorPanels::VectorPanels(const VectorSubset& vectors, Form form, double largest_length)
    : rows_(vectors.size()),
      count_(kernels::panels_of(rows_)),
      pairs_((vectors.column->dimension + 1) / 2),
      panels_(count_ * kPanelVectors * pairs_ * 2),
      limits_(count_ * kPanelVectors, kNoPair) {
  if (form == Form::as_they_are && largest_length > 0) scale_ = kLength / largest_length;
  if (form == Form::as_they_are) scaled_squares_.resize(rows_);
  // Rounding takes at most half of one from every component, and a little of what doubles lose.
  most_error_ = 0.5001 * std::sqrt(static_cast<double>(vectors.column->dimension)) + 0.001;
  for (std::size_t row = 0; row < rows_; ++row) {
    if (form == Form::of_length_one) {
      fill(vectors, row, kLength / std::sqrt(vectors.square(row)));
      limits_[row] = 0;
      continue;
    }
    fill(vectors, row, scale_);
    scaled_squares_[row] = vectors.square(row) * scale_ * scale_;
    limits_[row] = square_limit(scaled_squares_[row] / 2 - kDoubleSlack);
  }
}

void VectorPanels::fill(const VectorSubset& vectors, std::size_t row, double scale) {
  const VectorColumn& column = *vectors.column;
  std::int16_t* out = panels_.data() + (row / kPanelVectors) * kPanelVectors * pairs_ * 2 +
                      (row % kPanelVectors) * 2;
  std::visit(
      [&](const auto& components) {
        const auto* in = components.data() + vectors.row(row) * column.dimension;
        for (std::size_t i = 0; i < column.dimension; ++i) {
          const double scaled = static_cast<double>(in[i]) * scale;
          const double rounded = scaled + std::copysign(0.5, scaled);
          out[(i / 2) * kPanelVectors * 2 + i % 2] =
              static_cast<std::int16_t>(static_cast<int>(rounded));
        }
      },
      column.components);
}

double VectorPanels::slack(const VectorPanels& other) const noexcept {
  const double left = most_error_;
  const double right = other.most_error_;
  return left * (kLength + right) + right * (kLength + left) + left * right + kDoubleSlack;
}

std::int32_t VectorPanels::cosine_limit(const VectorPanels& other, double cosine) const noexcept {
  return square_limit(cosine * kLength * kLength - slack(other));
}

std::int32_t VectorPanels::distance_limit(std::size_t row, const VectorPanels& other,
                                          double distance) const noexcept {
  // |x - y|^2 <= D^2 is the same as <x, y> >= (|x|^2 - D^2)/2 + |y|^2/2.
  const double scaled = distance * scale_;
  return square_limit((scaled_squares_[row] - scaled * scaled) / 2 - slack(other));
}

void VectorPanels::candidates(std::size_t panel, std::span<const std::int32_t> limits,
                              const VectorPanels& other, std::size_t first, std::size_t last,
                              std::span<std::uint32_t> hits) const noexcept {
  const std::size_t size = kPanelVectors * pairs_ * 2;
  kernels::products_reaching(panels_.data() + panel * size, other.panels_.data() + first * size,
                             last - first, pairs_, limits.data(),
                             other.limits_.data() + first * kPanelVectors, hits.data());
}

}  // namespace sosie
