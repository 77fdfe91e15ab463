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

// Tells which pairs of the sides may reach a bound, with no false negatives: by 8-bit integers or,
// where these let many pass, by 16-bit ones. Which of the two depends on the vectors alone.
class VectorFilter {
 public:
  // No bound: every pair may. `sides` outlive this.
  VectorFilter(const VectorSides& sides, std::optional<double> bound, ThreadPool& pool);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  // Panels with the limits of their rows.
  struct Panels {
    SidePanels rows;
    std::vector<std::int32_t> limits;  // whole panels; of words: of left rows
  };
  [[nodiscard]] Panels lefts(const PanelStretch& place) const;
  [[nodiscard]] Panels rights(const PanelStretch& place) const;

  // Bit y of hits[(right panel - stretch.begin) * 32 + x]: whether row x of a left panel and row y
  // of the right one may be a pair. Bits of rows that there are not mean nothing. Panels are
  // counted from the first of `lefts` and `rights`.
  static void candidates(const Panels& lefts, std::size_t panel, const Panels& rights,
                         const PanelStretch& stretch, std::span<std::uint32_t> hits);

 private:
  // The part of some pairs, spread evenly, that are candidates.
  [[nodiscard]] double passing_part(ThreadPool& pool) const;
  [[nodiscard]] std::vector<std::int32_t> byte_limits(const SidePanels& panels) const;
  [[nodiscard]] std::vector<std::int32_t> word_limits(const VectorPanels& lefts) const;

  const VectorSides& sides_;
  double bound_;
  PanelMaker maker_;
};

// The distance of a left row from a right one drawn by chance, as byte panels have it: the nearest
// are nearer. Both sides have rows.
[[nodiscard]] double usual_distance(const VectorSides& sides);

// Tells which right rows may be nearer to a left row than it has been told is wanted, with no false
// negatives. At first every row may.
class NearestFilter {
 public:
  // none: every row always may. `sides` outlive this.
  NearestFilter(const VectorSides& sides, PanelForm form);

  [[nodiscard]] const PanelMaker& maker() const noexcept { return maker_; }

  struct Rights {
    SidePanels rows;
    BytePanels::NearestLimits limits;  // limits of byte panels
  };
  [[nodiscard]] Rights rights(const PanelStretch& place) const;

  // Reach of the bound, in the unit that limit() takes.
  [[nodiscard]] double reach(double bound) const;
  // Limits of a row of these panels, counted from their first: for rows of some right panels within
  // reach, and for all rows.
  [[nodiscard]] std::int32_t limit(double reach, const SidePanels& lefts, std::size_t row,
                                   const Rights& rights) const noexcept;
  [[nodiscard]] std::int32_t limit_of_all() const noexcept;

  // Lists candidates like VectorFilter::candidates(), for the first of `lefts` and all of `rights`.
  static void candidates(const SidePanels& lefts, std::span<const std::int32_t> limits,
                         const Rights& rights, std::span<std::uint32_t> hits);

 private:
  const VectorSides& sides_;
  PanelMaker maker_;
  double usual_distance_ = 0;  // usual distance of byte panels
};

}  // namespace sosie
