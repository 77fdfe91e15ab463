// Estimates how many links join records to siblings of a partner that is missing.
#include "plan/stand_ins.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sosie {
namespace {

constexpr std::size_t kFewestClear = 30;  // links
constexpr std::size_t kClearPart = 3;     // a third of the links
constexpr double kUnlinked = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t kUnclear = std::numeric_limits<std::uint32_t>::max();

using Record = std::uint32_t ScoredLink::*;  // a link's record on one side

class StandInSearch {
 public:
  explicit StandInSearch(const StandInTask& task)
      : task_(task), scores_(std::size_t{task.left} + task.right, kUnlinked) {
    for (const std::size_t i : task.chosen) {
      const ScoredLink& link = task.links[i];
      scores_[link.left] = scores_[link.right] = link.score;
    }
    clear_.assign(task.chosen.begin(), task.chosen.end());
    std::stable_sort(clear_.begin(), clear_.end(), [&](std::size_t a, std::size_t b) {
      return task.links[a].score > task.links[b].score;
    });
    clear_.resize(clear_.size() / kClearPart);
  }

  [[nodiscard]] bool has_enough() const noexcept { return clear_.size() >= kFewestClear; }

  // Searches for other partners of the records on one side.
  [[nodiscard]] StandIns of_side(Record own, Record other, std::uint32_t records) const {
    const auto clear = static_cast<double>(clear_.size());
    const auto links = static_cast<double>(task_.chosen.size());
    const double seen = count(own, other) / clear;
    const double fewest = std::max(0.0, seen - std::sqrt(seen * (1 - seen) / clear));
    const double unlinked = std::max(0.0, records - links);
    const double most = links - clear;
    const auto false_links = [&](double part) {
      return part < 1 ? std::min(most, unlinked * part / (1 - part)) : most;
    };
    return {seen, false_links(seen), false_links(fewest)};
  }

 private:
  // Counts records with clear links for which another record would do.
  [[nodiscard]] double count(Record own, Record other) const {
    std::vector<std::uint32_t> partners(scores_.size(), kUnclear);
    for (const std::size_t i : clear_) partners[task_.links[i].*own] = task_.links[i].*other;
    double found = 0;
    for (const ScoredLink& link : task_.links) {
      std::uint32_t& partner = partners[link.*own];
      if (link.score < task_.least || partner == kUnclear || partner == link.*other) continue;
      if (scores_[link.*other] >= link.score) continue;
      partner = kUnclear;  // counts once
      found += 1;
    }
    return found;
  }

  const StandInTask& task_;
  std::vector<double> scores_;  // by record: the score of its link
  std::vector<std::size_t> clear_;
};

}  // namespace

StandIns find_stand_ins(const StandInTask& task) {
  const StandInSearch search(task);
  if (!search.has_enough()) return {};
  const StandIns left = search.of_side(&ScoredLink::left, &ScoredLink::right, task.left);
  const StandIns right = search.of_side(&ScoredLink::right, &ScoredLink::left, task.right);
  if (task.left != task.right) return task.left < task.right ? left : right;
  return left.false_links <= right.false_links ? left : right;
}

}  // namespace sosie
