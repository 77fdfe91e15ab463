#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "kernels/byte_products.h"

namespace sosie {

// How the vectors of two columns (or of one) become 8-bit integers: moved so that their mean is 0,
// multiplied by a common scale, rounded, and cut off where they leave 8 bits.
struct ByteScale {
  bool of_length_one = false;  // divided by their lengths before all that
  double scale = 1;
  double most_rounding = 0;  // what doubles lose in doing so, in units of the integers
  std::vector<double> mean;  // in units of the integers
};

// `squares`: squared lengths of all rows; the right ones are empty of one column.
struct ByteScaleTask {
  const VectorColumn* left = nullptr;
  const VectorColumn* right = nullptr;  // null: one column
  std::span<const double> left_squares = {};
  std::span<const double> right_squares = {};
  bool of_length_one = false;
};
[[nodiscard]] ByteScale byte_scale_of(const ByteScaleTask& task);

// Panels of some rows behind each other.
struct PanelStretch {
  std::size_t begin;
  std::size_t end;
};

// Vectors as 8-bit integers, by a scale made of them or of others, for finding candidate pairs with
// no false negatives. What rounding and cutting off took from each vector is known, so two vectors
// cannot be nearer than their integers less what was taken from both: the triangle inequality. A
// quarter of the bytes of floats.
class BytePanels {
 public:
  BytePanels(const VectorColumn& column, const ByteScale& scale, std::span<const double> squares,
             ThreadPool& pool);

  [[nodiscard]] std::size_t panel_count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return lines_.size() * sizeof(CacheLine); }

  // What a search for pairs within a Euclidean distance (of_length_one: of the vectors of that
  // length) compares products with, by row, whole panels.
  struct Limits {
    std::vector<std::int32_t> left;
    std::vector<std::int32_t> right;
  };
  // A left limit that every pair reaches.
  static constexpr std::int32_t kEveryPair =
      -2 * kernels::kMostByteLength * kernels::kMostByteLength;

  struct LimitViews {
    std::span<const std::int32_t> left;   // of the rows of one panel
    std::span<const std::int32_t> right;  // of all rows
  };
  [[nodiscard]] Limits limits_within(const BytePanels& other, double distance) const;

  // What a search compares products with whose distance is another one for each of our rows, and
  // may shrink: every row of `other` is near enough, until nearer_than() says how near is. That
  // tells most up to the distance `far`.
  struct NearestLimits {
    Limits limits;
    double far = 0;        // in units of the integers
    double most_loss = 0;  // of other's rows
  };
  [[nodiscard]] NearestLimits limits_of_nearest(const BytePanels& other, double far) const;
  void nearer_than(double distance, std::size_t row, NearestLimits& limits) const noexcept;
  // The limit of one of our rows, where the right ones are those of `limits`.
  [[nodiscard]] std::int32_t limit_nearer_than(double distance, std::size_t row,
                                               const NearestLimits& limits) const noexcept;

  // Which rows of `other` may be near enough to row x of a panel of ours: bit y of
  // hits[(panel - rights.begin) * 32 + x]. `limits` are those of both.
  void candidates(std::size_t panel, const BytePanels& other, const PanelStretch& rights,
                  const Limits& limits, std::span<std::uint32_t> hits) const;
  void candidates(std::size_t panel, const BytePanels& other, const PanelStretch& rights,
                  const LimitViews& limits, std::span<std::uint32_t> hits) const;

 private:
  void fill(const VectorColumn& column, std::size_t row, double length, const ByteScale& scale);
  // A distance in units of the integers, and more than doubles can err.
  [[nodiscard]] double scaled(double distance) const noexcept;
  // |q|^2/2 less what `distance` and the row's own loss allow.
  [[nodiscard]] double half_limit(std::size_t row, double distance) const noexcept;

  std::size_t rows_;
  std::size_t count_;
  std::size_t quads_;
  double scale_;
  // So that panels are aligned.
  struct alignas(64) CacheLine {
    std::array<std::int8_t, 64> bytes;
  };
  [[nodiscard]] std::size_t panel_bytes() const noexcept;
  [[nodiscard]] const std::int8_t* panel(std::size_t i) const noexcept;

  std::vector<CacheLine> lines_;  // of all panels
  std::vector<double> halves_;    // of the integers' squared lengths
  std::vector<double> losses_;    // distance of a row from its integers, in their unit
};

}  // namespace sosie
