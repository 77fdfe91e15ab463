#include "pipeline/measured/vector_nearest.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "kernels/panel_products.h"
#include "pipeline/measured/nearest_filter.h"
#include "pipeline/measured/nearest_rows.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kTasksAWorker = 8;
constexpr std::size_t kFirstPanels = 64;  // that set limits for the others
// Beyond this part of the pairs, measuring them costs more than 16-bit integers do.
constexpr double kManyPass = 0.01;

class Searcher {
 public:
  Searcher(const VectorSearchTask& task, ThreadPool& pool)
      : task_(task), pool_(pool), sides_(*task.left, task.right, *task.measure, pool) {
    choose_filter();
  }

  std::uint64_t run(const std::function<void(std::size_t)>& progress,
                    const std::function<void(std::span<const MeasuredPair>)>& each) {
    const std::size_t panels = filter_->left_count();
    const std::size_t group = kTasksAWorker * pool_.size();
    std::vector<Panel> found(group);
    std::uint64_t measured = 0;
    for (std::size_t begin = 0; begin < panels; begin += group) {
      const std::size_t end = std::min(panels, begin + group);
      pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
        const bool is_known = begin + i == 0 && !first_.rows.empty();
        found[i] = is_known ? std::move(first_) : search(begin + i);
      });
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
    std::uint64_t measured = 0;
  };

  void use(NearestFilter::Form form) {
    filter_.emplace(sides_, form, pool_);
    stretches_ = stretches();
  }

  // 8-bit integers, but where they let many of the first panel's pairs pass.
  void choose_filter() {
    using Form = NearestFilter::Form;
    use(task_.filter ? Form::bytes : Form::none);
    if (!task_.filter) return;
    first_ = search(0);
    const double pairs =
        static_cast<double>(first_.rows.size()) * static_cast<double>(sides_.right().rows);
    if (static_cast<double>(first_.measured) <= kManyPass * pairs) return;
    use(Form::words);
    first_ = {};
  }

  // All right panels. Nearest first would be best; the next best is to begin with few from
  // everywhere, which set limits for the others: neighbours in the input may be alike.
  [[nodiscard]] std::vector<PanelStretch> stretches() const {
    const std::size_t panels = filter_->right_count();
    const std::size_t firsts = std::min(kFirstPanels, panels);
    std::vector<PanelStretch> all;
    for (std::size_t i = 0; i < firsts; ++i) {
      const std::size_t first = panels * i / firsts;
      all.push_back({first, first + 1});
    }
    for (std::size_t i = 0; i < firsts; ++i) {
      const std::size_t end = panels * (i + 1) / firsts;
      for (std::size_t begin = all[i].end; begin < end; begin += filter_->cached_panels()) {
        all.push_back({begin, std::min(end, begin + filter_->cached_panels())});
      }
    }
    return all;
  }

  [[nodiscard]] Panel search(std::size_t panel) {
    const std::size_t first_row = panel * kPanelVectors;
    const std::size_t rows = std::min(kPanelVectors, sides_.left().rows - first_row);
    Panel state{{rows, NearestRows(task_.most, task_.measure->is_similarity)}};
    std::vector<std::uint32_t> hits(filter_->cached_panels() * kPanelVectors);
    for (const PanelStretch& rights : stretches_) {
      pool_.check_cancelled();
      filter_->candidates(panel, rights, hits);
      for (std::size_t x = 0; x < rows; ++x) {
        if (measure(first_row + x, rights, std::span(hits).subspan(x), state)) {
          filter_->nearer_than(state.rows[x].farthest(), first_row + x);
        }
      }
    }
    return state;
  }

  // Measures the candidates of one left row, every kPanelVectors-th of `hits`; returns whether its
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
  std::optional<NearestFilter> filter_;
  std::vector<PanelStretch> stretches_;
  Panel first_;  // no rows: not searched yet
};

}  // namespace

std::uint64_t nearest_vectors(const VectorSearchTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const MeasuredPair>)>& each) {
  if (task.left->rows == 0 || task.right->rows == 0) return 0;
  return Searcher(task, pool).run(progress, each);
}

}  // namespace sosie
