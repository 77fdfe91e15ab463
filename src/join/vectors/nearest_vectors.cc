// Finds the nearest right rows of every left row by panel products.
#include "join/vectors/nearest_vectors.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "join/nearest_rows.h"
#include "join/vectors/side_panels.h"
#include "join/vectors/vector_filter.h"
#include "join/vectors/vector_sides.h"
#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kNearestTasksAWorker = 8;
// Minimum number of left panels at a time if right panels are rebuilt for each group of them, so
// that rebuilding costs little.
constexpr std::size_t kStretchedPanels = 512;
constexpr std::size_t kFirstNearestPanels = 64;  // that set limits for the others
// If more than this share of the pairs passes, measuring them costs more than 16-bit integers do.
constexpr double kManyPass = 0.01;

// Orders all right panels. Nearest first would be best; second best is to begin with a few from
// everywhere, which set limits for the others, since adjacent rows of the input may be similar.
std::vector<PanelStretch> chunks_nearest_first(const PanelMaker& maker) {
  const std::size_t panels = maker.right_count();
  const std::size_t firsts = std::min(kFirstNearestPanels, panels);
  std::vector<PanelStretch> all;
  for (std::size_t i = 0; i < firsts; ++i) {
    const std::size_t first = panels * i / firsts;
    all.push_back({first, first + 1});
  }
  for (std::size_t i = 0; i < firsts; ++i) {
    const std::size_t end = panels * (i + 1) / firsts;
    for (std::size_t begin = all[i].end; begin < end; begin += maker.cached_panels()) {
      all.push_back({begin, std::min(end, begin + maker.cached_panels())});
    }
  }
  return all;
}

class Searcher {
 public:
  Searcher(const VectorSearchTask& task, ThreadPool& pool)
      : task_(task), pool_(pool), sides_(task.left, task.right, *task.measure) {
    use(task_.filter ? PanelForm::bytes : PanelForm::none);
  }

  std::uint64_t run(const std::function<void(std::size_t)>& progress,
                    const std::function<void(std::span<const ScoredPair>)>& each) {
    const std::size_t panels = filter_->maker().left_count();
    std::uint64_t measured = 0;
    for (std::size_t begin = 0, end = 0; begin < panels; begin = end) {
      end = begin == 0 ? 1 : std::min(panels, begin + panels_at_once());
      std::vector<Panel> found = search(begin, end);
      if (begin == 0 && lets_many_pass(found[0])) {
        use(PanelForm::words);
        found = search(begin, end);
      }
      for (const Panel& panel : found) {
        measured += panel.measured;
        for (const NearestRows& row : panel.rows) each(row.pairs());
      }
      if (progress) progress(std::min(sides_.left().size(), end * kPanelVectors));
    }
    return measured;
  }

 private:
  // State of the left rows in a panel.
  struct Panel {
    std::vector<NearestRows> rows;
    std::vector<double> reaches;  // reach within which a full row may still find nearer ones
    std::uint64_t measured = 0;
  };

  void use(PanelForm form) {
    rights_.reset();
    filter_.emplace(sides_, form);
    rights_.emplace(chunks_nearest_first(filter_->maker()),
                    task_.memory_share.panel_bytes / filter_->maker().panel_bytes(),
                    [this](const PanelStretch& place) { return filter_->rights(place); });
  }

  // 8-bit integers are used unless they let many of the first panel's pairs pass.
  [[nodiscard]] bool lets_many_pass(const Panel& first) const noexcept {
    const double pairs =
        static_cast<double>(first.rows.size()) * static_cast<double>(sides_.right().size());
    return filter_->maker().form() == PanelForm::bytes &&
           static_cast<double>(first.measured) > kManyPass * pairs;
  }

  // Number of panels whose state fits in memory.
  [[nodiscard]] std::size_t panels_at_once() const noexcept {
    const std::uint64_t most = std::min<std::uint64_t>(task_.most, sides_.right().size());
    const std::uint64_t panel_bytes = 2 * kPanelVectors * most * sizeof(ScoredPair);
    const std::size_t wanted =
        rights_->holds_all() ? kNearestTasksAWorker * pool_.size() : kStretchedPanels;
    return std::clamp<std::uint64_t>(task_.memory_share.pair_bytes / panel_bytes, 1, wanted);
  }

  [[nodiscard]] std::vector<Panel> search(std::size_t begin, std::size_t end) {
    std::vector<Panel> found;
    for (std::size_t panel = begin; panel < end; ++panel) {
      const std::size_t rows =
          std::min(kPanelVectors, sides_.left().size() - panel * kPanelVectors);
      found.push_back({{rows, NearestRows(task_.most, task_.measure->is_similarity)},
                       std::vector<double>(rows),
                       0});
    }
    for (std::size_t chunk = 0, past = 0; chunk < rights_->chunks().size(); chunk = past) {
      past = rights_->hold(chunk, pool_);
      pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
        search_panel(begin + i, chunk, past, found[i]);
      });
    }
    return found;
  }

  // Searches the chunks [begin, end) for the rows of a left panel.
  void search_panel(std::size_t panel, std::size_t begin, std::size_t end, Panel& state) {
    const SidePanels lefts = filter_->maker().lefts({panel, panel + 1});
    std::vector<std::int32_t> limits(kPanelVectors, filter_->limit_of_all());
    std::vector<std::uint32_t> hits(filter_->maker().cached_panels() * kPanelVectors);
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      pool_.check_cancelled();
      const NearestFilter::Rights& rights = (*rights_)[chunk];
      for (std::size_t x = 0; x < state.rows.size(); ++x) {
        if (state.rows[x].is_full()) {
          limits[x] = filter_->limit(state.reaches[x], lefts, x, rights);
        }
      }
      NearestFilter::candidates(lefts, limits, rights, hits);
      for (std::size_t x = 0; x < state.rows.size(); ++x) {
        if (measure(panel * kPanelVectors + x, rights.rows.place, std::span(hits).subspan(x),
                    state)) {
          state.reaches[x] = filter_->reach(state.rows[x].farthest());
        }
      }
    }
  }

  // Measures the candidates of one left row, every kPanelVectors-th of `hits`; returns true if its
  // limit can be raised.
  bool measure(std::size_t left, const PanelStretch& rights, std::span<const std::uint32_t> hits,
               Panel& state) const {
    NearestRows& nearest = state.rows[left % kPanelVectors];
    bool changed = false;
    for (std::size_t panel = rights.begin; panel < rights.end; ++panel) {
      for (std::uint32_t bits = hits[(panel - rights.begin) * kPanelVectors]; bits != 0;
           bits &= bits - 1) {
        const std::size_t right =
            panel * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
        if (right >= sides_.right().size()) break;
        if (task_.is_self && right <= left) continue;
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
  std::optional<NearestFilter> filter_;
  std::optional<HeldPanels<NearestFilter::Rights>> rights_;
};

}  // namespace

std::uint64_t nearest_vectors(const VectorSearchTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const ScoredPair>)>& each) {
  if (task.left.size() == 0 || task.right.size() == 0) return 0;
  return Searcher(task, pool).run(progress, each);
}

}  // namespace sosie
