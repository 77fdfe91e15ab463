#include "pipeline/measured/vector_nearest.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "kernels/panel_products.h"
#include "pipeline/measured/nearest_rows.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kTasksAWorker = 8;

class Searcher {
 public:
  Searcher(const VectorSearchTask& task, ThreadPool& pool)
      : task_(task), pool_(pool), sides_(*task.left, task.right, *task.measure, pool) {
    sides_.make_panels(pool);
  }

  std::uint64_t run(const std::function<void(std::size_t)>& progress,
                    const std::function<void(std::span<const MeasuredPair>)>& each) {
    const std::size_t panels = sides_.left_panels().panel_count();
    const std::size_t group = kTasksAWorker * pool_.size();
    std::vector<Panel> found(group);
    std::uint64_t measured = 0;
    for (std::size_t begin = 0; begin < panels; begin += group) {
      const std::size_t end = std::min(panels, begin + group);
      pool_.for_each(end - begin,
                     [&](unsigned /*worker*/, std::size_t i) { found[i] = search(begin + i); });
      for (std::size_t i = 0; i < end - begin; ++i) {
        measured += found[i].measured;
        for (const NearestRows& row : found[i].rows) each(row.pairs());
      }
      if (progress) progress(std::min(sides_.left().rows, end * kPanelVectors));
    }
    return measured;
  }

 private:
  // What is known of the left rows of a panel.
  struct Panel {
    std::vector<NearestRows> rows;
    std::vector<std::int32_t> limits;
    std::uint64_t measured = 0;
  };

  // Nearest first would be best; the next best is to begin with few, which set limits for more.
  [[nodiscard]] Panel search(std::size_t panel) const {
    const std::size_t first_row = panel * kPanelVectors;
    const std::size_t rows = std::min(kPanelVectors, sides_.left().rows - first_row);
    Panel state{{rows, NearestRows(task_.most, task_.measure->is_similarity)},
                std::vector<std::int32_t>(kPanelVectors, kEveryPair)};
    const std::size_t most_panels = sides_.cached_panels();
    std::vector<std::uint32_t> hits(most_panels * kPanelVectors);
    const std::size_t panels = sides_.right_panels().panel_count();
    for (std::size_t begin = 0, width = 1; begin < panels;
         begin += width, width = std::min(2 * width, most_panels)) {
      pool_.check_cancelled();
      const std::size_t end = std::min(panels, begin + width);
      sides_.left_panels().candidates(panel, state.limits, sides_.right_panels(), begin, end, hits);
      for (std::size_t x = 0; x < rows; ++x) {
        if (measure(first_row + x, begin, end, std::span(hits).subspan(x), state)) {
          if (task_.filter) state.limits[x] = sides_.limit(first_row + x, state.rows[x].farthest());
        }
      }
    }
    return state;
  }

  // Measures the candidates of one left row, every kPanelVectors-th of `hits`; returns whether its
  // limit can be raised.
  bool measure(std::size_t left, std::size_t begin, std::size_t end,
               std::span<const std::uint32_t> hits, Panel& state) const {
    NearestRows& nearest = state.rows[left % kPanelVectors];
    bool changed = false;
    for (std::size_t panel = begin; panel < end; ++panel) {
      for (std::uint32_t bits = hits[(panel - begin) * kPanelVectors]; bits != 0;
           bits &= bits - 1) {
        const std::size_t right =
            panel * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
        if (right >= sides_.right().rows) break;
        ++state.measured;
        const double value = task_.measure->value(sides_.sums(left, right));
        if (nearest.add(
                {static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right), value})) {
          changed = true;
        }
      }
    }
    return changed && nearest.is_full();
  }

  const VectorSearchTask& task_;
  ThreadPool& pool_;
  VectorSides sides_;
};

}  // namespace

std::uint64_t nearest_vectors(const VectorSearchTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const MeasuredPair>)>& each) {
  if (task.left->rows == 0 || task.right->rows == 0) return 0;
  return Searcher(task, pool).run(progress, each);
}

}  // namespace sosie
