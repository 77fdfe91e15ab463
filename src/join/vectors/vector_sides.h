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

// The two sides of a join or a search (or one side that is compared with itself). Rows are
// identified by their places. The columns and their squared lengths must outlive this object.
class VectorSides {
 public:
  // `right`: if empty, left is compared with itself. Both columns must have the same component
  // type.
  VectorSides(const VectorSubset& left, const std::optional<VectorSubset>& right,
              const VectorMeasure& measure);

  [[nodiscard]] const VectorSubset& left() const noexcept { return left_; }
  [[nodiscard]] const VectorSubset& right() const noexcept { return right_; }
  [[nodiscard]] bool is_self() const noexcept { return is_self_; }
  [[nodiscard]] const VectorMeasure& measure() const noexcept { return measure_; }
  // True if the measure depends on angles.
  [[nodiscard]] bool by_angle() const noexcept { return measure_.euclidean_factor == nullptr; }
  // True if sums are integers, so that decisions are exact.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  // For vectors within `bound` of the measure: the lowest cosine (if the measure is of angles), or
  // the largest Euclidean distance.
  [[nodiscard]] double least_cosine(double bound) const;
  [[nodiscard]] double most_distance(double bound) const noexcept;

  // The bound in the form that byte panels use.
  [[nodiscard]] double byte_distance(double bound) const;
  // Scale by which both sides are converted to bytes.
  [[nodiscard]] ByteScale byte_scale() const;

  // The sums over two rows that the measure needs, including squared lengths.
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
