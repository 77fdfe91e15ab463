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

// Finds pairs of the sides that may reach a bound, without false negatives: by 8-bit integers or,
// if these pass many pairs, by 16-bit ones. The choice depends on the vectors alone.
class VectorFilter {
 public:
  // `bound`: if empty, every pair may. `sides` must outlive this object.
  VectorFilter(const VectorSides& sides, std::optional<double> bound, ThreadPool& pool);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  // Panels with the limits of their rows.
  struct Panels {
    SidePanels rows;
    std::vector<std::int32_t> limits;  // whole panels; of words: of left rows
  };
  [[nodiscard]] Panels lefts(const PanelStretch& place) const;
  [[nodiscard]] Panels rights(const PanelStretch& place) const;

  // Sets bit y of hits[(right panel - stretch.begin) * 32 + x] if row x of a left panel and row y
  // of the right one may be a pair. Bits of nonexistent rows mean nothing. Panels are counted from
  // the first of `lefts` and `rights`.
  static void candidates(const Panels& lefts, std::size_t panel, const Panels& rights,
                         const PanelStretch& stretch, std::span<std::uint32_t> hits);

 private:
  // Share of candidates among some pairs, spread evenly.
  [[nodiscard]] double passing_part(ThreadPool& pool) const;
  [[nodiscard]] std::vector<std::int32_t> byte_limits(const SidePanels& panels) const;
  [[nodiscard]] std::vector<std::int32_t> word_limits(const VectorPanels& lefts) const;

  const VectorSides& sides_;
  double bound_;
  PanelMaker maker_;
};

// The typical distance between a left row and a random right one, according to byte panels: the
// nearest are nearer. Both sides must have rows.
[[nodiscard]] double usual_distance(const VectorSides& sides);

// Finds right rows that may be nearer to a left row than its current limit, without false
// negatives. Initially every row may.
class NearestFilter {
 public:
  // none: every row always may. `sides` must outlive this object.
  NearestFilter(const VectorSides& sides, PanelForm form);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  struct Rights {
    SidePanels rows;
    BytePanels::NearestLimits limits;  // limits of byte panels
  };
  [[nodiscard]] Rights rights(const PanelStretch& place) const;

  // Reach of the bound, in the unit for limit().
  [[nodiscard]] double reach(double bound) const;
  // Limit of a row of these panels, counted from their first: for rows of some right panels within
  // reach, and for all rows.
  [[nodiscard]] std::int32_t limit(double reach, const SidePanels& lefts, std::size_t row,
                                   const Rights& rights) const noexcept;
  [[nodiscard]] std::int32_t limit_of_all() const noexcept;

  // Lists candidates as VectorFilter::candidates() does, for the first of `lefts` and all of
  // `rights`.
  static void candidates(const SidePanels& lefts, std::span<const std::int32_t> limits,
                         const Rights& rights, std::span<std::uint32_t> hits);

 private:
  const VectorSides& sides_;
  PanelMaker maker_;
  double usual_distance_ = 0;  // usual distance of byte panels
};

}  // namespace sosie
