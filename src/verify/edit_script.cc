// Edits between two strings, by dynamic programming and backtracking.
#include "verify/edit_script.h"

#include <algorithm>
#include <unordered_map>

namespace sosie {
namespace {

using StepKind = EditStep::Kind;
using Letters = std::span<const char32_t>;

constexpr std::size_t kMostCells = std::size_t{1} << 22;

// Distances of all prefixes, and how each was reached.
class EditTable {
 public:
  EditTable(EditMeasure measure, Letters left, Letters right)
      : measure_(measure),
        left_(left),
        right_(right),
        width_(right.size() + 1),
        distance_((left.size() + 1) * width_),
        reached_by_(distance_.size()) {
    for (std::size_t j = 1; j < width_; ++j) set(j, StepKind::insert, j);
    for (std::size_t i = 1; i <= left.size(); ++i) fill_row(i);
  }

  // The steps from the end to the beginning; each concerns one character or a swap.
  [[nodiscard]] std::vector<EditStep> walk_back() const {
    std::vector<EditStep> steps;
    std::size_t i = left_.size();
    std::size_t j = right_.size();
    while (i > 0 || j > 0) {
      const StepKind kind = reached_by_[at(i, j)];
      const auto [from_i, from_j] = before(kind, i, j);
      steps.push_back({kind, static_cast<std::uint32_t>(from_i), static_cast<std::uint32_t>(i),
                       static_cast<std::uint32_t>(from_j), static_cast<std::uint32_t>(j)});
      i = from_i;
      j = from_j;
    }
    return steps;
  }

 private:
  using Position = std::pair<std::size_t, std::size_t>;

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j) const noexcept {
    return i * width_ + j;
  }
  void set(std::size_t cell, StepKind kind, std::size_t distance) {
    reached_by_[cell] = kind;
    distance_[cell] = static_cast<std::uint32_t>(distance);
  }
  void take_if_less(std::size_t cell, StepKind kind, std::size_t distance) {
    if (distance < distance_[cell]) set(cell, kind, distance);
  }

  void fill_row(std::size_t i) {
    set(at(i, 0), StepKind::remove, i);
    std::size_t last_column = 0;  // where this character last occurred in `right`
    for (std::size_t j = 1; j < width_; ++j) {
      const std::size_t cell = at(i, j);
      const bool same = left_[i - 1] == right_[j - 1];
      if (same) {
        set(cell, StepKind::keep, distance_[at(i - 1, j - 1)]);
      } else if (measure_ != EditMeasure::indel) {
        set(cell, StepKind::replace, distance_[at(i - 1, j - 1)] + 1);
      } else {
        set(cell, StepKind::remove, distance_[at(i - 1, j)] + 1);
      }
      take_if_less(cell, StepKind::remove, distance_[at(i - 1, j)] + 1);
      take_if_less(cell, StepKind::insert, distance_[at(i, j - 1)] + 1);
      const auto row = last_row_.find(right_[j - 1]);
      if (row != last_row_.end() && last_column > 0) try_swap({row->second, last_column}, i, j);
      if (same) last_column = j;
    }
    last_row_[left_[i - 1]] = i;
  }

  // Tries a swap: the two characters at `first` and (i, j) occur in reverse order in the other
  // string.
  void try_swap(const Position& first, std::size_t i, std::size_t j) {
    const bool neighbours = first.first + 1 == i && first.second + 1 == j;
    const bool allowed =
        measure_ == EditMeasure::damerau || (measure_ == EditMeasure::osa && neighbours);
    if (!allowed) return;
    const std::size_t cell = at(i, j);
    const std::size_t distance = distance_[at(first.first - 1, first.second - 1)] +
                                 (i - first.first) + (j - first.second) - 1;
    if (distance >= distance_[cell]) return;
    set(cell, StepKind::swap, distance);
    swapped_with_[cell] = {first.first - 1, first.second - 1};
  }

  [[nodiscard]] Position before(StepKind kind, std::size_t i, std::size_t j) const {
    switch (kind) {
      case StepKind::remove:
        return {i - 1, j};
      case StepKind::insert:
        return {i, j - 1};
      case StepKind::swap:
        return swapped_with_.at(at(i, j));
      default:
        return {i - 1, j - 1};
    }
  }

  EditMeasure measure_;
  Letters left_;
  Letters right_;
  std::size_t width_;
  std::vector<std::uint32_t> distance_;
  std::vector<StepKind> reached_by_;
  std::unordered_map<std::size_t, Position> swapped_with_;
  std::unordered_map<char32_t, std::size_t> last_row_;
};

void add_step(const EditStep& step, std::vector<EditStep>& steps) {
  const bool goes_on =
      step.kind == StepKind::keep && !steps.empty() && steps.back().kind == step.kind;
  if (goes_on) {
    steps.back().left_end = step.left_end;
    steps.back().right_end = step.right_end;
  } else if (step.left < step.left_end || step.right < step.right_end) {
    steps.push_back(step);
  }
}

}  // namespace

std::uint32_t EditStep::edits() const noexcept {
  if (kind == StepKind::keep) return 0;
  if (kind != StepKind::swap) return 1;
  return left_end - left + right_end - right - 3;
}

std::optional<std::vector<EditStep>> edit_script(EditMeasure measure, Letters left, Letters right) {
  const std::size_t shorter = std::min(left.size(), right.size());
  const auto prefix = static_cast<std::size_t>(
      std::mismatch(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(shorter),
                    right.begin())
          .first -
      left.begin());
  std::size_t suffix = 0;
  while (suffix < shorter - prefix &&
         left[left.size() - 1 - suffix] == right[right.size() - 1 - suffix]) {
    ++suffix;
  }
  const Letters left_part = left.subspan(prefix, left.size() - prefix - suffix);
  const Letters right_part = right.subspan(prefix, right.size() - prefix - suffix);
  if ((left_part.size() + 1) > kMostCells / (right_part.size() + 1)) return std::nullopt;
  const auto begin = static_cast<std::uint32_t>(prefix);
  const auto left_end = static_cast<std::uint32_t>(left.size());
  const auto right_end = static_cast<std::uint32_t>(right.size());
  const auto behind = static_cast<std::uint32_t>(suffix);
  std::vector<EditStep> steps;
  add_step({StepKind::keep, 0, begin, 0, begin}, steps);
  std::vector<EditStep> between = EditTable(measure, left_part, right_part).walk_back();
  std::reverse(between.begin(), between.end());
  for (const EditStep& step : between) {
    add_step({step.kind, step.left + begin, step.left_end + begin, step.right + begin,
              step.right_end + begin},
             steps);
  }
  add_step({StepKind::keep, left_end - behind, left_end, right_end - behind, right_end}, steps);
  return steps;
}

}  // namespace sosie
