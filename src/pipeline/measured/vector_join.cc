#include "pipeline/measured/vector_join.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/panel_products.h"
#include "pipeline/measured/vector_filter.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kLeftPanels = 4;    // of a task: their rows stay in the first cache
constexpr std::size_t kTasksAWorker = 8;  // whose pairs are kept until they are handed over

class Joiner {
 public:
  Joiner(const VectorJoinTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        sides_(*task.left, task.right, *task.measure, pool),
        filter_(sides_, task.filter ? std::optional(task.bound.value()) : std::nullopt, pool) {}

  VectorJoinCounts run(const std::function<void(std::size_t)>& progress,
                       const std::function<bool(std::span<const MeasuredPair>)>& each) {
    VectorJoinCounts counts;
    const std::size_t tasks = (filter_.left_count() + kLeftPanels - 1) / kLeftPanels;
    const std::size_t group = tasks_at_once();
    std::vector<std::vector<MeasuredPair>> found(group);
    std::vector<std::uint64_t> measured(group);
    std::vector<std::uint64_t> counted(group);
    for (std::size_t begin = 0; begin < tasks; begin += group) {
      const std::size_t end = std::min(tasks, begin + group);
      pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
        found[i].clear();
        counted[i] = 0;
        measured[i] = find((begin + i) * kLeftPanels, found[i], counted[i]);
      });
      for (std::size_t i = 0; i < end - begin; ++i) {
        counts.candidates += measured[i];
        counts.found += counted[i];
        if (!found[i].empty() && !each(found[i])) return counts;
      }
      if (progress) progress(std::min(sides_.left().rows, end * kLeftPanels * kPanelVectors));
    }
    return counts;
  }

 private:
  // As many as the pairs they are expected to find leave room for.
  [[nodiscard]] std::size_t tasks_at_once() const noexcept {
    const double a_task = task_.pairs_a_row * kLeftPanels * kPanelVectors;
    const std::size_t most = kTasksAWorker * pool_.size();
    if (a_task * static_cast<double>(most) <= static_cast<double>(task_.most_kept)) return most;
    return static_cast<std::size_t>(std::max(1.0, static_cast<double>(task_.most_kept) / a_task));
  }

  // The pairs of kLeftPanels panels from `first` on; returns how many were measured.
  std::uint64_t find(std::size_t first, std::vector<MeasuredPair>& out,
                     std::uint64_t& found) const {
    const std::size_t last = std::min(first + kLeftPanels, filter_.left_count());
    const std::size_t chunk = filter_.cached_panels();
    std::vector<std::uint32_t> hits(chunk * kPanelVectors);
    std::uint64_t measured = 0;
    const std::size_t panels = filter_.right_count();
    for (std::size_t begin = sides_.is_self() ? first : 0; begin < panels; begin += chunk) {
      pool_.check_cancelled();
      const std::size_t end = std::min(panels, begin + chunk);
      for (std::size_t panel = first; panel < last; ++panel) {
        filter_.candidates(panel, {begin, end}, hits);
        measured += measure(panel, {begin, end}, hits, out, found);
      }
    }
    std::sort(out.begin(), out.end(), [](const MeasuredPair& a, const MeasuredPair& b) {
      return a.left != b.left ? a.left < b.left : a.right < b.right;
    });
    return measured;
  }

  std::uint64_t measure(std::size_t panel, const PanelStretch& rights,
                        std::span<const std::uint32_t> hits, std::vector<MeasuredPair>& out,
                        std::uint64_t& found) const {
    std::uint64_t measured = 0;
    for (std::size_t right = rights.begin; right < rights.end; ++right) {
      for (std::size_t x = 0; x < kPanelVectors; ++x) {
        const std::size_t i = panel * kPanelVectors + x;
        for (std::uint32_t bits = hits[(right - rights.begin) * kPanelVectors + x]; bits != 0;
             bits &= bits - 1) {
          const std::size_t j =
              right * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
          if (i >= sides_.left().rows || j >= sides_.right().rows || (sides_.is_self() && j <= i))
            continue;
          ++measured;
          if (measure_pair(i, j, out)) ++found;
        }
      }
    }
    return measured;
  }

  // Whether the two reach the bound; then they are a pair, if pairs are wanted.
  bool measure_pair(std::size_t i, std::size_t j, std::vector<MeasuredPair>& out) const {
    const VectorSums sums = sides_.sums(i, j);
    if (!task_.measure->reaches(sums, task_.bound, sides_.exact())) return false;
    if (!task_.only_count) {
      out.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                     task_.measure->value(sums)});
    }
    return true;
  }

  const VectorJoinTask& task_;
  ThreadPool& pool_;
  VectorSides sides_;
  VectorFilter filter_;
};

}  // namespace

VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<bool(std::span<const MeasuredPair>)>& each) {
  const bool nothing = task.left->rows == 0 || (task.right != nullptr && task.right->rows == 0);
  if (nothing) return {};
  return Joiner(task, pool).run(progress, each);
}

}  // namespace sosie
