// Mean differences of runner-up pairs near a score.
#include "plan/runner_up_differences.h"

#include <algorithm>

namespace sosie {
namespace {

constexpr std::size_t kNearest = 100;

}  // namespace

RunnerUpDifferences::RunnerUpDifferences(std::span<const HeldOutLink> pairs) {
  std::vector<HeldOutLink> sorted;
  sorted.reserve(pairs.size());
  for (const HeldOutLink& pair : pairs) {
    if (pair.difference >= 0) sorted.push_back(pair);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const HeldOutLink& a, const HeldOutLink& b) { return a.score < b.score; });
  scores_.reserve(sorted.size());
  sums_.reserve(sorted.size() + 1);
  sums_.push_back(0);
  for (const HeldOutLink& pair : sorted) {
    scores_.push_back(pair.score);
    sums_.push_back(sums_.back() + pair.difference);
  }
}

bool RunnerUpDifferences::enough() const noexcept { return scores_.size() >= kNearest; }

double RunnerUpDifferences::mean_near(double low, double high) const {
  auto begin = static_cast<std::size_t>(std::lower_bound(scores_.begin(), scores_.end(), low) -
                                        scores_.begin());
  auto end = static_cast<std::size_t>(std::upper_bound(scores_.begin(), scores_.end(), high) -
                                      scores_.begin());
  while (end - begin < kNearest) {
    const bool all_before = begin == 0;
    const bool all_behind = end == scores_.size();
    const bool lower =
        all_behind || (!all_before && low - scores_[begin - 1] <= scores_[end] - high);
    if (lower) {
      --begin;
    } else {
      ++end;
    }
  }
  return (sums_[end] - sums_[begin]) / static_cast<double>(end - begin);
}

}  // namespace sosie
