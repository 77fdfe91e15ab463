#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/vector_column.h"

namespace sosie {

// A limit that every product reaches, whatever the other vector's limit is: the sum of both stays
// within 32 bits even if that one is a little below 0.
inline constexpr std::int32_t kEveryPair = -std::numeric_limits<std::int32_t>::max() + 64;

// Vectors as 16-bit integers, for finding candidate pairs with no false negatives: multiplied by a
// common scale (after division by their lengths, if only angles count) and rounded. The rounding
// moves a product by no more than a bound that is worked out beside it, so a pair whose integer
// product stays below the limit cannot reach the threshold. Source: interval arithmetic on the
// Cauchy-Schwarz inequality.
class VectorPanels {
 public:
  enum class Form : std::uint8_t { of_length_one, as_they_are };

  // `largest_length`: of all vectors whose panels are to be compared; as_they_are only.
  VectorPanels(const VectorSubset& vectors, Form form, double largest_length);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t panel_count() const noexcept { return count_; }
  // Bytes of a panel.
  [[nodiscard]] static std::size_t panel_bytes(std::size_t dimension) noexcept;

  // Adds a stretch of `other`'s panels that row x of a panel of ours is compared with:
  // hits[(panel - first) * 32 + x] has bit y set for every row y of it that may be as near as
  // limits[x] asks.
  void candidates(std::size_t panel, std::span<const std::int32_t> limits,
                  const VectorPanels& other, std::size_t first, std::size_t last,
                  std::span<std::uint32_t> hits) const noexcept;

  // Limit of one of our rows, for `candidates`, to find partners in `other` whose cosine with it
  // may be at least `cosine` (of_length_one), or whose Euclidean distance may be at most `distance`
  // (as_they_are).
  [[nodiscard]] std::int32_t cosine_limit(const VectorPanels& other, double cosine) const noexcept;
  [[nodiscard]] std::int32_t distance_limit(std::size_t row, const VectorPanels& other,
                                            double distance) const noexcept;

 private:
  // Components of a row in panel order.
  void fill(const VectorSubset& vectors, std::size_t row, double scale);
  // The most that rounding moves a product with a row of `other`.
  [[nodiscard]] double slack(const VectorPanels& other) const noexcept;

  std::size_t rows_;
  std::size_t count_;
  std::size_t pairs_;      // half the components of a row
  double scale_ = 1;       // as_they_are
  double most_error_ = 0;  // length of what rounding took from a row
  std::vector<std::int16_t> panels_;
  std::vector<std::int32_t> limits_;    // right_limits of the kernel
  std::vector<double> scaled_squares_;  // as_they_are: squared length times scale squared
};

}  // namespace sosie
