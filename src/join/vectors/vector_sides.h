#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "data/columns.h"
#include "verify/vector_measures.h"

namespace sosie {

// The two sides of a join or a search (or one, compared with itself), rows of which are compared by
// their places in it. The columns and their squared lengths outlive this.
class VectorSides {
 public:
  // `right` none: left is compared with itself. The columns hold one type of components.
  VectorSides(const VectorSubset& left, const std::optional<VectorSubset>& right,
              const VectorMeasure& measure);

  [[nodiscard]] const VectorSubset& left() const noexcept { return left_; }
  [[nodiscard]] const VectorSubset& right() const noexcept { return right_; }
  [[nodiscard]] bool is_self() const noexcept { return is_self_; }
  [[nodiscard]] const VectorMeasure& measure() const noexcept { return measure_; }
  // True if the measure is one of angles.
  [[nodiscard]] bool by_angle() const noexcept { return measure_.euclidean_factor == nullptr; }
  // True if sums are integers, and so decisions are exact.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  // The least cosine (of a measure of angles), or the greatest Euclidean distance, of vectors that
  // the measure puts at `bound` or nearer.
  [[nodiscard]] double least_cosine(double bound) const;
  [[nodiscard]] double most_distance(double bound) const noexcept;

  // Bound as byte panels take it.
  [[nodiscard]] double byte_distance(double bound) const;
  // Scale by which both sides become bytes.
  [[nodiscard]] ByteScale byte_scale() const;

  // Sums of two rows for the measure, with squared lengths.
  [[nodiscard]] VectorSums sums(std::size_t left_row, std::size_t right_row) const;

 private:
  VectorSubset left_;
  VectorSubset right_;
  const VectorMeasure& measure_;
  bool is_self_;
  bool exact_;
};

// Squared lengths of all rows.
[[nodiscard]] std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool);

}  // namespace sosie
