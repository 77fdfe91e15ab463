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

}  // namespace sosie
