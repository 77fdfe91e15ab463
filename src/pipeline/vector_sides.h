#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "verify/vector_measures.h"

namespace sosie {

// The two columns of a join or a search (or one, compared with itself), ready to be compared: their
// squared lengths, and panels that tell candidates. Memory: two bytes a component beside the
// columns.
class VectorSides {
 public:
  // `right` null: left is compared with itself. The columns hold one type of components, and
  // outlive this.
  VectorSides(const VectorColumn& left, const VectorColumn* right, const VectorMeasure& measure,
              ThreadPool& pool);

  [[nodiscard]] const VectorColumn& left() const noexcept { return left_; }
  [[nodiscard]] const VectorColumn& right() const noexcept { return right_; }
  [[nodiscard]] bool is_self() const noexcept { return right_panels_ == nullptr; }
  [[nodiscard]] const VectorPanels& left_panels() const noexcept { return *left_panels_; }
  [[nodiscard]] const VectorPanels& right_panels() const noexcept {
    return is_self() ? *left_panels_ : *right_panels_;
  }
  // Whether sums are integers, and so the decisions made of them.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  // So many right panels fit the second cache.
  [[nodiscard]] std::size_t cached_panels() const noexcept;

  // Whether one limit holds for all left rows.
  [[nodiscard]] bool one_limit() const noexcept { return measure_.euclidean_factor == nullptr; }
  // The panels' limit of a left row, for partners that the measure puts at `bound` or nearer.
  [[nodiscard]] std::int32_t limit(std::size_t left_row, double bound) const;

  // What the measure asks of two rows, squared lengths too.
  [[nodiscard]] VectorSums sums(std::size_t left_row, std::size_t right_row) const;

 private:
  const VectorColumn& left_;
  const VectorColumn& right_;
  const VectorMeasure& measure_;
  bool exact_;
  std::vector<double> left_squares_;
  std::vector<double> right_squares_;  // empty of one column
  std::unique_ptr<VectorPanels> left_panels_;
  std::unique_ptr<VectorPanels> right_panels_;  // null of one column
};

// Squared lengths of all rows.
[[nodiscard]] std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool);

}  // namespace sosie
