#include "pipeline/measured/vector_join.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>

#include "kernels/panel_products.h"
#include "pipeline/measured/sorted_pairs.h"
#include "pipeline/measured/vector_filter.h"
#include "pipeline/measured/vector_sides.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kLeftPanels = 4;    // of a task: their rows stay in the first cache
constexpr std::size_t kTasksAWorker = 8;  // whose pairs are kept until they are handed over
constexpr std::size_t kBlockPairs = 4096;

class Joiner {
 public:
  Joiner(const VectorJoinTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        sides_(*task.left, task.right, *task.measure, pool),
        filter_(sides_, task.filter ? std::optional(task.bound.value()) : std::nullopt, pool) {}

  VectorJoinCounts run(const std::function<void(std::size_t)>& progress,
                       const std::function<void(std::span<const MeasuredPair>)>& each) {
    const std::size_t tasks = (filter_.left_count() + kLeftPanels - 1) / kLeftPanels;
    const std::size_t group = tasks_at_once();
    for (std::size_t begin = 0; begin < tasks; begin += group) {
      const std::size_t end = std::min(tasks, begin + group);
      if (task_.only_count) {
        find_all(begin, end, nullptr);
      } else {
        SortedPairs found(*task_.scratch, task_.sort_bytes);
        find_all(begin, end, &found);
        found.drain(each);
      }
      if (progress) progress(std::min(sides_.left().rows, end * kLeftPanels * kPanelVectors));
    }
    return {measured_, found_};
  }

 private:
  // As many as the pairs they are expected to find leave room for.
  [[nodiscard]] std::size_t tasks_at_once() const noexcept {
    const double a_task = task_.pairs_a_row * kLeftPanels * kPanelVectors;
    const std::size_t most = kTasksAWorker * pool_.size();
    const auto most_kept = static_cast<double>(task_.sort_bytes) / (2 * sizeof(MeasuredPair));
    if (a_task * static_cast<double>(most) <= most_kept) return most;
    return static_cast<std::size_t>(std::max(1.0, most_kept / a_task));
  }

  // `out` null: pairs are counted only.
  void find_all(std::size_t begin, std::size_t end, SortedPairs* out) {
    pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
      find((begin + i) * kLeftPanels, out);
    });
  }

  // The pairs of kLeftPanels panels from `first` on.
  void find(std::size_t first, SortedPairs* out) {
    const std::size_t last = std::min(first + kLeftPanels, filter_.left_count());
    const std::size_t chunk = filter_.cached_panels();
    std::vector<std::uint32_t> hits(chunk * kPanelVectors);
    std::vector<MeasuredPair> found;
    const std::size_t panels = filter_.right_count();
    for (std::size_t begin = sides_.is_self() ? first : 0; begin < panels; begin += chunk) {
      pool_.check_cancelled();
      const std::size_t end = std::min(panels, begin + chunk);
      for (std::size_t panel = first; panel < last; ++panel) {
        filter_.candidates(panel, {begin, end}, hits);
        measure(panel, {begin, end}, hits, found);
        if (found.size() >= kBlockPairs) hand_over(found, out);
      }
    }
    hand_over(found, out);
  }

  void hand_over(std::vector<MeasuredPair>& found, SortedPairs* out) {
    found_ += found.size();
    if (out != nullptr && !found.empty()) out->add(found);
    found.clear();
  }

  void measure(std::size_t panel, const PanelStretch& rights, std::span<const std::uint32_t> hits,
               std::vector<MeasuredPair>& found) {
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
          measure_pair(i, j, found);
        }
      }
    }
    measured_ += measured;
  }

  // If the two reach the bound they are a pair.
  void measure_pair(std::size_t i, std::size_t j, std::vector<MeasuredPair>& found) const {
    const VectorSums sums = sides_.sums(i, j);
    if (!task_.measure->reaches(sums, task_.bound, sides_.exact())) return;
    found.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), task_.measure->value(sums)});
  }

  const VectorJoinTask& task_;
  ThreadPool& pool_;
  VectorSides sides_;
  VectorFilter filter_;
  std::atomic<std::uint64_t> measured_ = 0;
  std::atomic<std::uint64_t> found_ = 0;
};

}  // namespace

VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const MeasuredPair>)>& each) {
  const bool nothing = task.left->rows == 0 || (task.right != nullptr && task.right->rows == 0);
  if (nothing) return {};
  return Joiner(task, pool).run(progress, each);
}

}  // namespace sosie
