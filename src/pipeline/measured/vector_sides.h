#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "candidates/byte_panels.h"
#include "candidates/vector_panels.h"
#include "core/thread_pool.h"
#include "data/vector_column.h"
#include "verify/vector_measures.h"

namespace sosie {

// The two columns of a join or a search (or one, compared with itself), ready to be compared: their
// squared lengths and, where they are asked for, panels that tell candidates.
class VectorSides {
 public:
  // `right` null: left is compared with itself. The columns hold one type of components, and
  // outlive this.
  VectorSides(const VectorColumn& left, const VectorColumn* right, const VectorMeasure& measure,
              ThreadPool& pool);

  [[nodiscard]] const VectorColumn& left() const noexcept { return left_; }
  [[nodiscard]] const VectorColumn& right() const noexcept { return right_; }
  [[nodiscard]] bool is_self() const noexcept { return is_self_; }
  [[nodiscard]] std::span<const double> left_squares() const noexcept { return left_squares_; }
  [[nodiscard]] std::span<const double> right_squares() const noexcept { return right_squares_; }
  [[nodiscard]] const VectorMeasure& measure() const noexcept { return measure_; }
  // Whether the measure is one of angles.
  [[nodiscard]] bool by_angle() const noexcept { return measure_.euclidean_factor == nullptr; }

  // Before any use of panels. Memory: two bytes a component.
  void make_panels(ThreadPool& pool);
  void drop_panels() noexcept;
  [[nodiscard]] const VectorPanels& left_panels() const noexcept { return *left_panels_; }
  [[nodiscard]] const VectorPanels& right_panels() const noexcept {
    return is_self() ? *left_panels_ : *right_panels_;
  }
  // Whether sums are integers, and so the decisions made of them.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  // So many right panels fit the second cache.
  [[nodiscard]] std::size_t cached_panels() const noexcept;

  // The panels' limit of a left row, for partners that the measure puts at `bound` or nearer.
  [[nodiscard]] std::int32_t limit(std::size_t left_row, double bound) const;

  // The least cosine (of a measure of angles), or the greatest Euclidean distance, of vectors that
  // the measure puts at `bound` or nearer.
  [[nodiscard]] double least_cosine(double bound) const;
  [[nodiscard]] double most_distance(double bound) const noexcept;

  // The same bound as byte panels take it.
  [[nodiscard]] double byte_distance(double bound) const;
  // How both columns become bytes.
  [[nodiscard]] ByteScale byte_scale() const;

  // What the measure asks of two rows, squared lengths too.
  [[nodiscard]] VectorSums sums(std::size_t left_row, std::size_t right_row) const;

 private:
  const VectorColumn& left_;
  const VectorColumn& right_;
  const VectorMeasure& measure_;
  bool is_self_;
  bool exact_;
  std::vector<double> left_squares_;
  std::vector<double> right_squares_;           // empty of one column
  std::unique_ptr<VectorPanels> left_panels_;   // null of no panels
  std::unique_ptr<VectorPanels> right_panels_;  // null of one column
};

// Squared lengths of all rows.
[[nodiscard]] std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool);

}  // namespace sosie
