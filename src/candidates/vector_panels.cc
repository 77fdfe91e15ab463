// Panels of vectors as 16-bit and 8-bit integers, and limits for their products that never cause
// false negatives.
#include "candidates/vector_panels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <variant>

#include "kernels/byte_products.h"
#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

// The length to which rows are scaled: components fit in 16 bits, and products in 31 bits, with
// room for rounding in the largest dimension.
constexpr double kLength = 32767;
// Exceeds the error of doubles in computing a bound near 2^31.
constexpr double kDoubleSlack = 4;
constexpr std::int32_t kNoPair = std::numeric_limits<std::int32_t>::max() / 2;

std::int32_t square_limit(double limit) noexcept {
  if (limit > kNoPair) return kNoPair;
  if (limit < kEveryPair) return kEveryPair;
  return static_cast<std::int32_t>(std::floor(limit));
}

using kernels::kMostByteLength;
using kernels::kNoByteLimit;
using kernels::kPanelVectors;
using kernels::padded_quads;
using kernels::quad_steps;

static_assert(kernels::kStepBytes == 64 && kernels::kPanelAlignment == 64);  // a CacheLine

constexpr double kMostByte = ByteScale::kMostByte;
constexpr double kMostSquare = 1.0 * kMostByteLength * kMostByteLength;
constexpr std::int32_t kLeastLimit = BytePanels::kEveryPair;
constexpr std::size_t kSampledRows = 1024;
constexpr std::size_t kSampledComponents = std::size_t{1} << 22;
// Share of the sampled rows that must fit in 8 bits; in other rows, components are clamped, and the
// difference counts as loss.
constexpr double kFittingPart = 0.995;
// Exceeds the error of doubles in a component or a length, relative to the longest vector.
constexpr double kDoubleError = 1e-13;
// The corresponding error for limits, in units of the integer products.
constexpr double kLimitSlack = 2;

double component(const VectorColumn& column, std::size_t row, std::size_t i) {
  return std::visit(
      [&](const auto& components) {
        return static_cast<double>(components[row * column.dimension + i]);
      },
      column.components);
}

// Calls each(column, row in the column, length of the row) for an evenly spread sample of rows on
// both sides.
template <typename Each>
void for_sampled_rows(const ByteScaleTask& task, Each each) {
  const auto visit = [&](const VectorSubset& vectors) {
    const VectorColumn& column = *vectors.column;
    const std::size_t most = std::max<std::size_t>(64, kSampledComponents / column.dimension);
    const std::size_t count = std::min({vectors.size(), kSampledRows, most});
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = vectors.row(vectors.size() * i / count);
      each(column, row, task.of_length_one ? std::sqrt(vectors.squares[row]) : 1.0);
    }
  };
  visit(task.left);
  if (task.right) visit(*task.right);
}

double longest_of(const ByteScaleTask& task) {
  if (task.of_length_one) return 1;
  double most = largest_square(task.left);
  if (task.right) most = std::max(most, largest_square(*task.right));
  return std::sqrt(most);
}

std::int32_t limit_from(double limit) noexcept {
  if (!(limit >= kLeastLimit)) return kLeastLimit;
  return static_cast<std::int32_t>(std::floor(std::min<double>(limit, -kLeastLimit)));
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
  // Rounding changes each component by at most one half, plus the small error of doubles.
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
  // |x - y|^2 <= D^2 is equivalent to <x, y> >= (|x|^2 - D^2)/2 + |y|^2/2.
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

ByteScale byte_scale_of(const ByteScaleTask& task) {
  const std::size_t dimension = task.left.column->dimension;
  ByteScale scale;
  scale.of_length_one = task.of_length_one;
  scale.mean.assign(dimension, 0);
  const double longest = longest_of(task);
  if (!std::isfinite(longest)) {  // too large for doubles: every pair is a candidate
    scale.scale = 0;
    return scale;
  }
  double count = 0;
  for_sampled_rows(task, [&](const VectorColumn& column, std::size_t row, double length) {
    for (std::size_t i = 0; i < dimension; ++i) {
      scale.mean[i] += component(column, row, i) / length;
    }
    ++count;
  });
  for (double& mean : scale.mean) mean /= count;
  std::vector<double> most;
  for_sampled_rows(task, [&](const VectorColumn& column, std::size_t row, double length) {
    double largest = 0;
    for (std::size_t i = 0; i < dimension; ++i) {
      largest = std::max(largest, std::abs(component(column, row, i) / length - scale.mean[i]));
    }
    most.push_back(largest);
  });
  std::sort(most.begin(), most.end());
  const double fitting =
      most[static_cast<std::size_t>(kFittingPart * static_cast<double>(most.size() - 1))];
  if (fitting > 0) scale.scale = kMostByte / fitting;
  // Centred vectors are at most twice as long. With few components, none can be too long.
  if (kMostByte * kMostByte * static_cast<double>(dimension) > kMostSquare) {
    scale.scale = std::min(scale.scale, kMostByteLength / 2.0 / longest);
  }
  scale.most_rounding =
      kDoubleError * longest * scale.scale * std::sqrt(static_cast<double>(dimension)) +
      kDoubleError;
  for (double& mean : scale.mean) mean *= scale.scale;
  return scale;
}

std::size_t BytePanels::panel_bytes(std::size_t dimension) noexcept {
  return kPanelVectors * padded_quads(dimension) * 4;
}

BytePanels::BytePanels(const VectorSubset& vectors, const ByteScale& scale, ThreadPool* pool)
    : rows_(vectors.size()),
      count_(kernels::panels_of(rows_)),
      quads_(padded_quads(vectors.column->dimension)),
      panel_bytes_(panel_bytes(vectors.column->dimension)),
      scale_(scale.scale),
      lines_(count_ * panel_bytes_ / sizeof(CacheLine)),
      halves_(rows_),
      losses_(rows_) {
  const auto fill_panel = [&](unsigned /*worker*/, std::size_t panel) {
    const std::size_t end = std::min(rows_, (panel + 1) * kPanelVectors);
    for (std::size_t row = panel * kPanelVectors; row < end; ++row) fill(vectors, row, scale);
  };
  if (pool != nullptr) {
    pool->for_each(count_, fill_panel);
  } else {
    for (std::size_t panel = 0; panel < count_; ++panel) fill_panel(0, panel);
  }
}

const std::int8_t* BytePanels::panel(std::size_t i) const noexcept {
  return reinterpret_cast<const std::int8_t*>(lines_.data()) + i * panel_bytes_;
}

void BytePanels::fill(const VectorSubset& vectors, std::size_t row, const ByteScale& scale) {
  const VectorColumn& column = *vectors.column;
  const double length = scale.of_length_one ? std::sqrt(vectors.square(row)) : 1.0;
  std::int8_t* out = reinterpret_cast<std::int8_t*>(lines_.data()) +
                     row / kPanelVectors * panel_bytes_ + row % kPanelVectors * 4;
  const double factor = scale.scale / length;
  double lost = 0;
  double square = 0;
  std::visit(
      [&](const auto& components) {
        const auto* in = components.data() + vectors.row(row) * column.dimension;
        for (std::size_t i = 0; i < column.dimension; ++i) {
          const double moved = static_cast<double>(in[i]) * factor - scale.mean[i];
          const int rounded = ByteScale::rounded(moved);
          out[i / 4 * kPanelVectors * 4 + i % 4] = static_cast<std::int8_t>(rounded);
          lost += (moved - rounded) * (moved - rounded);
          square += static_cast<double>(rounded) * rounded;
        }
        if (square <= kMostSquare) return;
        // Too long for products. This cannot happen to rows that determined the scale. The whole
        // vector counts as loss.
        lost = square = 0;
        for (std::size_t i = 0; i < column.dimension; ++i) {
          const double moved = static_cast<double>(in[i]) * factor - scale.mean[i];
          out[i / 4 * kPanelVectors * 4 + i % 4] = 0;
          lost += moved * moved;
        }
      },
      column.components);
  losses_[row] = std::sqrt(lost) * (1 + kDoubleError * static_cast<double>(column.dimension)) +
                 scale.most_rounding;
  halves_[row] = square / 2;
}

// |x - y| <= D implies |q - r| <= D + e + f, for rows x and y, their integers q and r, and losses e
// and f. Therefore, <q, r> is at least |q|^2/2 + |r|^2/2 - (D + e + f)^2/2, which is not below the
// sum of the two rows' limits.
double BytePanels::half_limit(std::size_t row, double distance) const noexcept {
  const double loss = losses_[row];
  return halves_[row] - distance * distance / 4 - distance * loss - loss * loss;
}

std::vector<std::int32_t> BytePanels::limits_within(double distance) const {
  const double most = scaled(distance);
  std::vector<std::int32_t> limits(count_ * kPanelVectors, kNoByteLimit);
  for (std::size_t row = 0; row < rows_; ++row) {
    limits[row] = limit_from(half_limit(row, most) - kLimitSlack);
  }
  return limits;
}

double BytePanels::scaled(double distance) const noexcept {
  return distance * scale_ * (1 + kDoubleError) + kDoubleError;
}

// (D + e + f)^2/2 consists of (D + e)^2/2, which belongs to the left limit, and f^2/2 + (D + e) f.
// The latter (or its value at the distance `far`) belongs to the right limit, and the rest to the
// left limit.
BytePanels::NearestLimits BytePanels::limits_of_nearest(double far) const {
  NearestLimits nearest;
  nearest.far = scaled(far);
  nearest.limits.assign(count_ * kPanelVectors, kNoByteLimit);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double loss = losses_[row];
    nearest.most_loss = std::max(nearest.most_loss, loss);
    nearest.limits[row] = limit_from(halves_[row] - loss * (loss / 2 + nearest.far) - kLimitSlack);
  }
  return nearest;
}

std::int32_t BytePanels::nearer_than(double distance, std::size_t row,
                                     const NearestLimits& others) const noexcept {
  const double reach = scaled(distance) + losses_[row];
  const double rest = std::max(0.0, reach - others.far) * others.most_loss;
  return limit_from(halves_[row] - reach * reach / 2 - rest - kLimitSlack);
}

void BytePanels::fetch(const PanelStretch& panels) const noexcept {
  const std::size_t lines = panel_bytes_ / sizeof(CacheLine);
  for (std::size_t i = panels.begin * lines; i < panels.end * lines; ++i) {
    __builtin_prefetch(&lines_[i]);
  }
}

BytePanels::Lefts BytePanels::lefts(std::size_t first, std::size_t count) const {
  const std::size_t steps = quad_steps(quads_);
  Lefts lefts;
  lefts.lines_.resize(steps * kPanelVectors);
  lefts.count_ = count;
  lefts.quads_ = quads_;
  const std::int8_t* in = panel(first / kPanelVectors) + first % kPanelVectors * 4;
  for (std::size_t quad = 0; quad < quads_; ++quad, in += 4 * kPanelVectors) {
    const std::size_t step = quad / (quads_ / steps);
    const std::size_t place = quad % (quads_ / steps) * 4;
    for (std::size_t x = 0; x < count; ++x) {
      std::memcpy(lefts.lines_[step * kPanelVectors + x].bytes.data() + place, in + 4 * x, 4);
    }
  }
  return lefts;
}

void BytePanels::candidates(std::size_t panel, std::span<const std::int32_t> limits,
                            const Rights& rights, std::span<std::uint32_t> hits) const {
  const std::size_t first = panel * kPanelVectors;
  candidates(lefts(first, std::min(kPanelVectors, rows_ - first)), limits, rights, hits);
}

void BytePanels::candidates(const Lefts& lefts, std::span<const std::int32_t> limits,
                            const Rights& rights, std::span<std::uint32_t> hits) {
  kernels::byte_products_reaching(
      {.left = lefts.lines_.front().bytes.data(),
       .left_count = lefts.count_,
       .right = rights.panels.panel(rights.stretch.begin),
       .right_count = rights.stretch.end - rights.stretch.begin,
       .quads = lefts.quads_,
       .left_limits = limits.data(),
       .right_limits = rights.limits.data() + rights.stretch.begin * kPanelVectors},
      hits.data());
}

}  // namespace sosie
