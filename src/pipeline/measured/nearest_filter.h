#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "candidates/byte_panels.h"
#include "core/thread_pool.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {

// The distance of a left row from a right one drawn by chance, as byte panels have it: the nearest
// are nearer. Both sides have rows.
[[nodiscard]] double usual_distance(const VectorSides& sides);

// Tells which right rows may be nearer to a left row than it has been told is wanted, with no false
// negatives. At first every row may.
class NearestFilter {
 public:
  enum class Form : std::uint8_t { none, bytes, words };  // none: every row always may

  // `sides` outlive this.
  NearestFilter(VectorSides& sides, Form form, ThreadPool& pool);

  [[nodiscard]] std::size_t left_count() const noexcept { return left_count_; }
  [[nodiscard]] std::size_t right_count() const noexcept { return right_count_; }
  // So many right panels fit the second cache.
  [[nodiscard]] std::size_t cached_panels() const noexcept;

  // As VectorFilter::candidates().
  void candidates(std::size_t panel, const PanelStretch& rights,
                  std::span<std::uint32_t> hits) const;
  // Right rows that the measure puts farther from the left row than `bound` are no longer wanted.
  // Left rows of different panels may be told of at the same time.
  void nearer_than(double bound, std::size_t left_row);

 private:
  VectorSides& sides_;
  Form form_;
  std::size_t left_count_;
  std::size_t right_count_;
  std::unique_ptr<BytePanels> left_bytes_;
  std::unique_ptr<BytePanels> right_bytes_;
  BytePanels::NearestLimits byte_limits_;
  std::vector<std::int32_t> word_limits_;  // of left rows, whole panels
};

}  // namespace sosie
