// Exact join of vectors: blocks of panel products, then measures of the candidates.
#include "join/vectors/vector_join.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "core/mix64.h"
#include "join/pair_selection.h"
#include "join/vectors/vector_filter.h"
#include "join/vectors/vector_sides.h"
#include "kernels/products_reaching.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kTasksAWorker = 8;  // whose pairs are kept until they are handed over
// Minimum number of tasks at a time if right panels are rebuilt for each group of tasks, so that
// rebuilding costs little.
constexpr std::size_t kStretchedTasks = 128;

std::vector<PanelStretch> chunks_of(const PanelMaker& maker) {
  std::vector<PanelStretch> chunks;
  for (std::size_t begin = 0; begin < maker.right_count(); begin = chunks.back().end) {
    chunks.push_back({begin, std::min(maker.right_count(), begin + maker.cached_panels())});
  }
  return chunks;
}

class Joiner {
 public:
  Joiner(const VectorJoinTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        sides_(task.left, task.right, *task.measure),
        filter_(sides_, task.filter ? std::optional(task.bound.value()) : std::nullopt, pool),
        rights_(chunks_of(filter_.maker()),
                task.memory_share.panel_bytes / filter_.maker().panel_bytes(),
                [this](const PanelStretch& place) { return filter_.rights(place); }) {}

  VectorJoinCounts run(const std::function<void(std::size_t)>& progress,
                       const std::function<void(std::span<const ScoredPair>)>& each) {
    const std::size_t tasks = (filter_.maker().left_count() + kLeftPanels - 1) / kLeftPanels;
    const std::size_t group = tasks_at_once();
    for (std::size_t begin = 0; begin < tasks; begin += group) {
      const std::size_t end = std::min(tasks, begin + group);
      if (task_.only_count) {
        find_all(begin, end, nullptr);
      } else {
        SortedPairs<ScoredPair> found(*task_.scratch, task_.memory_share.pair_bytes, task_.prune);
        find_all(begin, end, &found);
        found.finish();
        for_each_block(found, [&](std::span<const ScoredPair> pairs) {
          each(pairs);
          return true;
        });
      }
      if (progress) progress(std::min(sides_.left().size(), end * kLeftPanels * kPanelVectors));
    }
    return {pairs_measured_, found_};
  }

 private:
  // Number of tasks at a time whose expected pairs fit in memory; if there are more, their pairs
  // are sorted in scratch.
  [[nodiscard]] std::size_t tasks_at_once() const noexcept {
    const double a_task = task_.pairs_a_row * kLeftPanels * kPanelVectors;
    const std::size_t least = rights_.holds_all() ? 1 : kStretchedTasks;
    const std::size_t most = std::max(least, kTasksAWorker * pool_.size());
    const auto most_kept =
        static_cast<double>(task_.memory_share.pair_bytes) / (2 * sizeof(ScoredPair));
    if (a_task * static_cast<double>(most) <= most_kept) return most;
    return std::max(least, static_cast<std::size_t>(most_kept / a_task));
  }

  // `out` null: only count the pairs.
  void find_all(std::size_t begin, std::size_t end, SortedPairs<ScoredPair>* out) {
    std::size_t chunk = sides_.is_self() ? chunk_of(begin * kLeftPanels) : 0;
    while (chunk < rights_.chunks().size()) {
      const std::size_t past = rights_.hold(chunk, pool_);
      pool_.for_each(end - begin, [&](unsigned /*worker*/, std::size_t i) {
        find((begin + i) * kLeftPanels, chunk, past, out);
      });
      chunk = past;
    }
  }

  [[nodiscard]] std::size_t chunk_of(std::size_t panel) const noexcept {
    return panel / filter_.maker().cached_panels();
  }

  // Finds the pairs of kLeftPanels panels, starting at `first`, with the chunks [begin, end).
  void find(std::size_t first, std::size_t begin, std::size_t end, SortedPairs<ScoredPair>* out) {
    if (sides_.is_self()) begin = std::max(begin, chunk_of(first));
    if (begin >= end) return;
    const std::size_t last = std::min(first + kLeftPanels, filter_.maker().left_count());
    const VectorFilter::Panels lefts = filter_.lefts({first, last});
    std::vector<std::uint32_t> hits(filter_.maker().cached_panels() * kPanelVectors);
    std::vector<ScoredPair> found;
    for (std::size_t chunk = begin; chunk < end; ++chunk) {
      pool_.check_cancelled();
      const VectorFilter::Panels& rights = rights_[chunk];
      PanelStretch place = rights.rows.place;
      if (sides_.is_self()) place.begin = std::max(place.begin, first);
      const std::size_t past = rights.rows.place.begin;
      for (std::size_t panel = first; panel < last; ++panel) {
        VectorFilter::candidates(lefts, panel - first, rights,
                                 {place.begin - past, place.end - past}, hits);
        measure(panel, place, hits, found);
        if (found.size() >= kBlockPairs) hand_over(found, out);
      }
    }
    hand_over(found, out);
  }

  void hand_over(std::vector<ScoredPair>& found, SortedPairs<ScoredPair>* out) {
    found_ += found.size();
    if (out != nullptr && !found.empty()) out->add(found);
    found.clear();
  }

  void measure(std::size_t panel, const PanelStretch& rights, std::span<const std::uint32_t> hits,
               std::vector<ScoredPair>& found) {
    std::uint64_t measured = 0;
    for (std::size_t right = rights.begin; right < rights.end; ++right) {
      for (std::size_t x = 0; x < kPanelVectors; ++x) {
        const std::size_t i = panel * kPanelVectors + x;
        for (std::uint32_t bits = hits[(right - rights.begin) * kPanelVectors + x]; bits != 0;
             bits &= bits - 1) {
          const std::size_t j =
              right * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
          if (i >= sides_.left().size() || j >= sides_.right().size() ||
              (sides_.is_self() && j <= i))
            continue;
          ++measured;
          measure_pair(i, j, found);
        }
      }
    }
    pairs_measured_ += measured;
  }

  // Adds the pair if it is within the bound.
  void measure_pair(std::size_t i, std::size_t j, std::vector<ScoredPair>& found) const {
    const VectorSums sums = sides_.sums(i, j);
    if (!task_.measure->reaches(sums, task_.bound, sides_.exact())) return;
    found.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), task_.measure->value(sums)});
  }

  const VectorJoinTask& task_;
  ThreadPool& pool_;
  VectorSides sides_;
  VectorFilter filter_;
  HeldPanels<VectorFilter::Panels> rights_;
  std::atomic<std::uint64_t> pairs_measured_ = 0;
  std::atomic<std::uint64_t> found_ = 0;
};

// Number of rows drawn; fewer if these have enough pairs for an estimate.
constexpr std::size_t kEstimatedRows = 128;
constexpr std::size_t kFirstRows = 8;
constexpr std::uint64_t kEnoughPairs = std::uint64_t{1} << 20;

// At most `most` distinct rows drawn with the seed.
std::vector<std::uint32_t> sampled_row_numbers(std::size_t rows, std::uint64_t seed,
                                               std::size_t most) {
  std::vector<std::uint32_t> drawn(most);
  for (std::size_t i = 0; i < most; ++i) {
    drawn[i] = static_cast<std::uint32_t>(random64(seed, i) % rows);
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  return drawn;
}

struct SampledPairs {
  std::uint64_t rows = 0;
  std::uint64_t found = 0;  // pairs of these rows with all rows
};

SampledPairs sample_pairs(const VectorJoinTask& task, std::uint64_t seed, std::size_t most,
                          ThreadPool& pool) {
  std::vector<std::uint32_t> drawn = sampled_row_numbers(task.left.size(), seed, most);
  for (std::uint32_t& row : drawn) row = static_cast<std::uint32_t>(task.left.row(row));
  VectorJoinTask counting = task;
  counting.left = some_of(*task.left.column, task.left.squares, drawn);
  counting.right = task.right.value_or(task.left);
  counting.only_count = true;
  return {drawn.size(), join_vectors(counting, pool, {}, [](auto) {}).found};
}

}  // namespace

VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<void(std::span<const ScoredPair>)>& each) {
  const bool nothing = task.left.size() == 0 || (task.right && task.right->size() == 0);
  if (nothing) return {};
  return Joiner(task, pool).run(progress, each);
}

void estimate_pairs(VectorJoinTask& task, std::uint64_t seed, ThreadPool& pool) {
  if (task.left.size() <= kEstimatedRows) return;
  SampledPairs sampled = sample_pairs(task, seed, kFirstRows, pool);
  if (sampled.found < kEnoughPairs) {
    sampled = sample_pairs(task, seed, kEstimatedRows, pool);
  }
  task.pairs_a_row = static_cast<double>(sampled.found) / static_cast<double>(sampled.rows);
  // Within one collection, each row was also found as its own partner, and each pair of two drawn
  // rows twice.
  const std::uint64_t others = sampled.found - std::min(sampled.found, sampled.rows);
  task.least_pairs = task.right ? sampled.found : others / 2;
}

}  // namespace sosie
