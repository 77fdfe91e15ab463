#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "join/vectors/side_panels.h"
#include "join/vectors/vector_sides.h"

namespace sosie {

// Finds the pairs of the sides that may reach a bound, without false negatives: by 8-bit integers
// or, if too many pairs pass these, by 16-bit integers. The choice depends on the vectors alone.
class VectorFilter {
 public:
  // `bound`: if empty, every pair may reach it. `sides` must outlive this object.
  VectorFilter(const VectorSides& sides, std::optional<double> bound, ThreadPool& pool);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  // Panels with the limits of their rows.
  struct Panels {
    SidePanels rows;
    std::vector<std::int32_t> limits;  // whole panels; of words: of left rows
  };
  [[nodiscard]] Panels lefts(const PanelStretch& place) const;
  [[nodiscard]] Panels rights(const PanelStretch& place) const;

  // Sets bit y of hits[(right panel - stretch.begin) * 32 + x] if row x of the left panel and row y
  // of the right panel may be a pair. Ignore the bits of rows that do not exist. Panels are counted
  // from the first panel of `lefts` and `rights`.
  static void candidates(const Panels& lefts, std::size_t panel, const Panels& rights,
                         const PanelStretch& stretch, std::span<std::uint32_t> hits);

 private:
  // Share of candidates in an evenly spread sample of the pairs.
  [[nodiscard]] double passing_part(ThreadPool& pool) const;
  [[nodiscard]] std::vector<std::int32_t> byte_limits(const SidePanels& panels) const;
  [[nodiscard]] std::vector<std::int32_t> word_limits(const VectorPanels& lefts) const;

  const VectorSides& sides_;
  double bound_;
  PanelMaker maker_;
};

// A typical distance between a left row and a random right row, estimated from byte panels; the
// nearest rows are nearer than this. Both sides must have rows.
[[nodiscard]] double usual_distance(const VectorSides& sides);

// Finds right rows that may be nearer to a left row than its current limit, without false
// negatives. At first, every row may be.
class NearestFilter {
 public:
  // With the form none, every row may always be nearer. `sides` must outlive this object.
  NearestFilter(const VectorSides& sides, PanelForm form);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  struct Rights {
    SidePanels rows;
    BytePanels::NearestLimits limits;  // limits of byte panels
  };
  [[nodiscard]] Rights rights(const PanelStretch& place) const;

  // The reach that corresponds to the bound, in the unit that limit() expects.
  [[nodiscard]] double reach(double bound) const;
  // The limit of a row in these panels (counted from their first row) for finding the rows of some
  // right panels within reach, and the limit for finding all rows.
  [[nodiscard]] std::int32_t limit(double reach, const SidePanels& lefts, std::size_t row,
                                   const Rights& rights) const noexcept;
  [[nodiscard]] std::int32_t limit_of_all() const noexcept;

  // Lists candidates as VectorFilter::candidates() does, for the first panel of `lefts` and all
  // panels of `rights`.
  static void candidates(const SidePanels& lefts, std::span<const std::int32_t> limits,
                         const Rights& rights, std::span<std::uint32_t> hits);

 private:
  const VectorSides& sides_;
  PanelMaker maker_;
  double usual_distance_ = 0;  // usual distance of byte panels
};

}  // namespace sosie
