#include "pipeline/vector_join.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "candidates/vector_panels.h"
#include "core/real_functions.h"
#include "kernels/panel_products.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;

constexpr std::size_t kLeftPanels = 4;    // of a task: their rows stay in the first cache
constexpr std::size_t kTasksAWorker = 8;  // whose pairs are kept until they are handed over
constexpr std::size_t kChunkBytes = std::size_t{1} << 18;  // of right panels: the second cache
constexpr std::size_t kRowsATask = 4096;
// More than the cosine of an angle in degrees can be off.
constexpr double kAngleSlack = 1e-9;

// The least cosine at which the measure may reach the bound.
double least_cosine(const VectorMeasure& measure, const Rational& bound) {
  if (measure.is_similarity) return bound.value();
  // cos(x) for x in [0, 180] degrees, by bisection of the function that decides.
  double low = -1;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = low + (high - low) / 2;
    (arc_cosine_degrees(middle) <= bound.value() ? high : low) = middle;
  }
  return low - kAngleSlack;
}

class Joiner {
 public:
  Joiner(const VectorJoinTask& task, ThreadPool& pool)
      : task_(task),
        pool_(pool),
        left_(*task.left),
        right_(task.right == nullptr ? *task.left : *task.right),
        self_(task.right == nullptr),
        exact_(has_integer_sums(left_)) {
    left_squares_ = squared_lengths(left_, pool);
    if (!self_) right_squares_ = squared_lengths(right_, pool);
    double most = 0;
    for (const double square : left_squares_) most = std::max(most, square);
    for (const double square : right_squares_) most = std::max(most, square);
    const auto form =
        by_angle() ? VectorPanels::Form::of_length_one : VectorPanels::Form::as_they_are;
    const double length = std::sqrt(most);
    left_panels_ = std::make_unique<VectorPanels>(left_, form, left_squares_, length, pool);
    if (!self_) {
      right_panels_ = std::make_unique<VectorPanels>(right_, form, right_squares_, length, pool);
    }
    set_limits();
    const std::size_t panel_bytes =
        right_panels().bytes() / std::max<std::size_t>(1, right_panels().panel_count());
    chunk_ = std::max<std::size_t>(1, kChunkBytes / std::max<std::size_t>(1, panel_bytes));
  }

  VectorJoinCounts run(const std::function<void(std::size_t)>& progress,
                       const std::function<bool(std::span<const MeasuredPair>)>& each) {
    VectorJoinCounts counts;
    const std::size_t tasks = (left_panels_->panel_count() + kLeftPanels - 1) / kLeftPanels;
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
      if (progress) progress(std::min(left_.rows, end * kLeftPanels * kPanelVectors));
    }
    return counts;
  }

 private:
  [[nodiscard]] bool by_angle() const noexcept {
    return task_.measure->euclidean_factor == nullptr;
  }
  [[nodiscard]] const VectorPanels& right_panels() const noexcept {
    return self_ ? *left_panels_ : *right_panels_;
  }

  // As many as the pairs they are expected to find leave room for.
  [[nodiscard]] std::size_t tasks_at_once() const noexcept {
    const double a_task = task_.pairs_a_row * kLeftPanels * kPanelVectors;
    const std::size_t most = kTasksAWorker * pool_.size();
    if (a_task * static_cast<double>(most) <= static_cast<double>(task_.most_kept)) return most;
    return static_cast<std::size_t>(std::max(1.0, static_cast<double>(task_.most_kept) / a_task));
  }

  void set_limits() {
    limits_.assign(left_panels_->panel_count() * kPanelVectors,
                   -std::numeric_limits<std::int32_t>::max());
    if (!task_.filter) return;
    if (by_angle()) {
      const std::int32_t limit =
          left_panels_->cosine_limit(right_panels(), least_cosine(*task_.measure, task_.bound));
      std::fill(limits_.begin(), limits_.end(), limit);
      return;
    }
    const double distance = task_.bound.value() * task_.measure->euclidean_factor(left_.dimension);
    for (std::size_t row = 0; row < left_.rows; ++row) {
      limits_[row] = left_panels_->distance_limit(row, right_panels(), distance);
    }
  }

  // The pairs of kLeftPanels panels from `first` on; returns how many were measured.
  std::uint64_t find(std::size_t first, std::vector<MeasuredPair>& out,
                     std::uint64_t& found) const {
    const std::size_t last = std::min(first + kLeftPanels, left_panels_->panel_count());
    std::vector<std::uint32_t> hits(chunk_ * kPanelVectors);
    std::uint64_t measured = 0;
    const std::size_t panels = right_panels().panel_count();
    for (std::size_t begin = self_ ? first : 0; begin < panels; begin += chunk_) {
      pool_.check_cancelled();
      const std::size_t end = std::min(panels, begin + chunk_);
      for (std::size_t panel = first; panel < last; ++panel) {
        left_panels_->candidates(panel,
                                 std::span(limits_).subspan(panel * kPanelVectors, kPanelVectors),
                                 right_panels(), begin, end, hits);
        measured += measure(panel, {begin, end}, hits, out, found);
      }
    }
    std::sort(out.begin(), out.end(), [](const MeasuredPair& a, const MeasuredPair& b) {
      return a.left != b.left ? a.left < b.left : a.right < b.right;
    });
    return measured;
  }

  struct PanelRange {
    std::size_t begin;
    std::size_t end;
  };

  std::uint64_t measure(std::size_t panel, PanelRange rights, std::span<const std::uint32_t> hits,
                        std::vector<MeasuredPair>& out, std::uint64_t& found) const {
    std::uint64_t measured = 0;
    for (std::size_t right = rights.begin; right < rights.end; ++right) {
      for (std::size_t x = 0; x < kPanelVectors; ++x) {
        const std::size_t i = panel * kPanelVectors + x;
        for (std::uint32_t bits = hits[(right - rights.begin) * kPanelVectors + x]; bits != 0;
             bits &= bits - 1) {
          const std::size_t j =
              right * kPanelVectors + static_cast<std::size_t>(std::countr_zero(bits));
          if (i >= left_.rows || j >= right_.rows || (self_ && j <= i)) continue;
          ++measured;
          if (measure_pair(i, j, out)) ++found;
        }
      }
    }
    return measured;
  }

  // Whether the two reach the bound; then they are a pair, if pairs are wanted.
  bool measure_pair(std::size_t i, std::size_t j, std::vector<MeasuredPair>& out) const {
    VectorSums sums = task_.measure->sums(left_, i, right_, j);
    sums.left_square = left_squares_[i];
    sums.right_square = self_ ? left_squares_[j] : right_squares_[j];
    if (!task_.measure->reaches(sums, task_.bound, exact_)) return false;
    if (!task_.only_count) {
      out.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                     task_.measure->value(sums)});
    }
    return true;
  }

  const VectorJoinTask& task_;
  ThreadPool& pool_;
  const VectorColumn& left_;
  const VectorColumn& right_;
  bool self_;
  bool exact_;
  std::vector<double> left_squares_;
  std::vector<double> right_squares_;  // empty when self_
  std::unique_ptr<VectorPanels> left_panels_;
  std::unique_ptr<VectorPanels> right_panels_;  // null when self_
  std::vector<std::int32_t> limits_;            // of left rows, padded to whole panels
  std::size_t chunk_;                           // right panels at a time
};

}  // namespace

std::vector<double> squared_lengths(const VectorColumn& column, ThreadPool& pool) {
  std::vector<double> squares(column.rows);
  pool.for_each((column.rows + kRowsATask - 1) / kRowsATask,
                [&](unsigned /*worker*/, std::size_t i) {
                  const std::size_t end = std::min(column.rows, (i + 1) * kRowsATask);
                  for (std::size_t row = i * kRowsATask; row < end; ++row)
                    squares[row] = squared_length(column, row);
                });
  return squares;
}

VectorJoinCounts join_vectors(const VectorJoinTask& task, ThreadPool& pool,
                              const std::function<void(std::size_t)>& progress,
                              const std::function<bool(std::span<const MeasuredPair>)>& each) {
  const bool nothing = task.left->rows == 0 || (task.right != nullptr && task.right->rows == 0);
  if (nothing) return {};
  return Joiner(task, pool).run(progress, each);
}

}  // namespace sosie
