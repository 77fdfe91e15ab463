#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "kernels/byte_products.h"

namespace sosie {

// A limit that every product reaches, regardless of the other vector's limit. Even if the other
// limit is slightly below 0, the sum of both fits in 32 bits.
inline constexpr std::int32_t kEveryPair = -std::numeric_limits<std::int32_t>::max() + 64;

// Vectors as 16-bit integers, for finding candidate pairs without false negatives. Vectors are
// multiplied by a common scale (after division by their lengths, if only angles count) and rounded.
// The maximum change of a product by rounding is also computed, so a pair whose integer product is
// below the limit cannot reach the threshold. Source: interval arithmetic on the Cauchy-Schwarz
// inequality.
class VectorPanels {
 public:
  enum class Form : std::uint8_t { of_length_one, as_they_are };

  // `largest_length`: maximum over all vectors whose panels are to be compared; as_they_are only.
  VectorPanels(const VectorSubset& vectors, Form form, double largest_length);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t panel_count() const noexcept { return count_; }
  // Bytes of a panel.
  [[nodiscard]] static std::size_t panel_bytes(std::size_t dimension) noexcept;

  // For each row x in one of these panels, finds candidates in a range of `other`'s panels: bit y
  // of hits[(panel - first) * 32 + x] is set for every row y that may be within limits[x].
  void candidates(std::size_t panel, std::span<const std::int32_t> limits,
                  const VectorPanels& other, std::size_t first, std::size_t last,
                  std::span<std::uint32_t> hits) const noexcept;

  // The limit to pass to candidates() for one of these rows so that it finds the rows of `other`
  // whose cosine with this row may be at least `cosine` (of_length_one) or whose Euclidean distance
  // from it may be at most `distance` (as_they_are).
  [[nodiscard]] std::int32_t cosine_limit(const VectorPanels& other, double cosine) const noexcept;
  [[nodiscard]] std::int32_t distance_limit(std::size_t row, const VectorPanels& other,
                                            double distance) const noexcept;

 private:
  // Writes the components of a row in panel order.
  void fill(const VectorSubset& vectors, std::size_t row, double scale);
  // Maximum amount by which rounding changes a product with a row of `other`.
  [[nodiscard]] double slack(const VectorPanels& other) const noexcept;

  std::size_t rows_;
  std::size_t count_;
  std::size_t pairs_;      // half the components of a row
  double scale_ = 1;       // as_they_are
  double most_error_ = 0;  // maximum length of the rounding error of a row
  std::vector<std::int16_t> panels_;
  std::vector<std::int32_t> limits_;    // right_limits of the kernel
  std::vector<double> scaled_squares_;  // as_they_are: squared length times scale squared
};

// Maps the vectors of one or two sides to 8-bit integers: shifts them so that their mean is 0,
// multiplies them by a common scale, rounds, and clamps to 8 bits.
struct ByteScale {
  bool of_length_one = false;  // divided by their lengths first
  double scale = 1;
  double most_rounding = 0;  // largest rounding error of the doubles, in units of the integers
  std::vector<double> mean;  // in units of the integers

  // The component minus the mean, in units of the integers, is limited to this magnitude.
  static constexpr double kMostByte = 127;
  [[nodiscard]] static int rounded(double moved) noexcept {
    const double cut = std::clamp(moved, -kMostByte, kMostByte);
    return static_cast<int>(cut + std::copysign(0.5, cut));
  }
};

struct ByteScaleTask {
  VectorSubset left;
  std::optional<VectorSubset> right;  // none: one side
  bool of_length_one = false;
};
[[nodiscard]] ByteScale byte_scale_of(const ByteScaleTask& task);

// Panels of some rows, one after another.
struct PanelStretch {
  std::size_t begin;
  std::size_t end;
};

// Vectors as 8-bit integers, for finding candidate pairs without false negatives. The scale is
// derived from these vectors or from others. The loss of each vector, its distance from its
// integers after rounding and clamping, is known. By the triangle inequality, two vectors cannot be
// nearer than the distance of their integers minus both losses. Needs a quarter of the memory of
// floats.
class BytePanels {
 public:
  // `pool`: its workers build the panels together; if null, the caller builds them.
  BytePanels(const VectorSubset& vectors, const ByteScale& scale, ThreadPool* pool = nullptr);

  [[nodiscard]] std::size_t panel_count() const noexcept { return count_; }
  // Bytes of a panel.
  [[nodiscard]] static std::size_t panel_bytes(std::size_t dimension) noexcept;

  // A limit for each row, for whole panels. Two rows can be within a Euclidean distance
  // (of_length_one: after division by their lengths) only if their product reaches the sum of their
  // limits.
  [[nodiscard]] std::vector<std::int32_t> limits_within(double distance) const;

  // Limits for nearest-row searches, where the distance differs from row to row and may shrink.
  // They are most selective for distances up to `far`.
  struct NearestLimits {
    std::vector<std::int32_t> limits;
    double far = 0;        // in units of the integers
    double most_loss = 0;  // largest loss of a row
  };
  [[nodiscard]] NearestLimits limits_of_nearest(double far) const;
  // Limit for one of these rows, to be added to a NearestLimits entry: for rows within the
  // distance, or for all rows.
  static constexpr std::int32_t kEveryPair =
      -2 * kernels::kMostByteLength * kernels::kMostByteLength;
  [[nodiscard]] std::int32_t nearer_than(double distance, std::size_t row,
                                         const NearestLimits& others) const noexcept;

  // Panels of another side, and the limits of all its rows.
  struct Rights {
    const BytePanels& panels;
    PanelStretch stretch;
    std::span<const std::int32_t> limits;
  };
  // Finds the rows of `rights` that may be near enough to row x in one of these panels: bit y of
  // hits[(panel - stretch.begin) * 32 + x]. `limits` are the limits of this panel.
  void candidates(std::size_t panel, std::span<const std::int32_t> limits, const Rights& rights,
                  std::span<std::uint32_t> hits) const;

  // Prefetches panels that will be needed soon.
  void fetch(const PanelStretch& panels) const noexcept;

  // Some rows in one of these panels, prepared for comparison with many panels on another side.
  class Lefts;
  [[nodiscard]] Lefts lefts(std::size_t first, std::size_t count) const;
  // Like candidates() above, for these rows; x counts from the first of them. The hits of other
  // rows must be ignored.
  static void candidates(const Lefts& lefts, std::span<const std::int32_t> limits,
                         const Rights& rights, std::span<std::uint32_t> hits);

 private:
  void fill(const VectorSubset& vectors, std::size_t row, const ByteScale& scale);
  // A distance in units of the integers, rounded up by more than the rounding error of doubles.
  [[nodiscard]] double scaled(double distance) const noexcept;
  // |q|^2/2 minus the allowance for `distance` and for the row's own loss.
  [[nodiscard]] double half_limit(std::size_t row, double distance) const noexcept;

  std::size_t rows_;
  std::size_t count_;
  std::size_t quads_;
  std::size_t panel_bytes_;
  double scale_;
  // For the alignment of panels.
  struct alignas(64) CacheLine {
    std::array<std::int8_t, 64> bytes;
  };
  [[nodiscard]] const std::int8_t* panel(std::size_t i) const noexcept;

  std::vector<CacheLine> lines_;  // components of all panels
  std::vector<double> halves_;    // halves of the integers' squared lengths
  std::vector<double> losses_;    // distance of a row from its integers, in their units
};

class BytePanels::Lefts {
  friend BytePanels;

  std::vector<CacheLine> lines_;  // in the order of the kernel: step by step
  std::size_t count_ = 0;
  std::size_t quads_ = 0;
};

}  // namespace sosie
