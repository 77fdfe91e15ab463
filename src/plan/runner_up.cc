// Estimates the number of true one-to-one links from the second-best partners of linked records.
#include "plan/runner_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sosie {
namespace {

constexpr std::size_t kFewestLinks = 100;
constexpr std::size_t kFewestRunnersUp = 30;
constexpr double kMostHighRunnersUp = 0.1;
constexpr std::size_t kBestPart = 3;  // the best third of links is taken to be true
constexpr double kLeastTruePart = 0.25;
constexpr int kMostRounds = 5;

constexpr double kNone = -std::numeric_limits<double>::infinity();

using Record = std::uint32_t ScoredLink::*;  // a link's record on one side

// A linked record of one side, and its best score with other records.
struct Linked {
  std::uint32_t record = 0;
  std::size_t link = 0;
  double runner_up = kNone;
};

// Linked records of one side, ascending.
class Side {
 public:
  Side(std::span<const ScoredLink> links, std::span<const std::size_t> chosen, Record record)
      : links_(links), record_(record) {
    linked_.reserve(chosen.size());
    for (const std::size_t link : chosen) linked_.push_back({links[link].*record, link, kNone});
    std::sort(linked_.begin(), linked_.end(),
              [](const Linked& a, const Linked& b) { return a.record < b.record; });
  }

  // The linked record of link `i` if its chosen link is a different one, otherwise null.
  [[nodiscard]] Linked* other_partner(std::size_t i) {
    Linked* linked = find(links_[i].*record_);
    return linked != nullptr && linked->link != i ? linked : nullptr;
  }

  void find_runners_up() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      Linked* linked = other_partner(i);
      if (linked != nullptr) linked->runner_up = std::max(linked->runner_up, links_[i].score);
    }
  }

  [[nodiscard]] double runner_up(std::size_t chosen) {
    return find(links_[chosen].*record_)->runner_up;
  }

 private:
  Linked* find(std::uint32_t record) {
    const auto found =
        std::lower_bound(linked_.begin(), linked_.end(), record,
                         [](const Linked& a, std::uint32_t other) { return a.record < other; });
    return found != linked_.end() && found->record == record ? &*found : nullptr;
  }

  std::span<const ScoredLink> links_;
  Record record_;
  std::vector<Linked> linked_;
};

// The chosen links by descending score; ties are in input order.
std::vector<std::size_t> by_score(const RunnerUpTask& task) {
  std::vector<std::size_t> sorted(task.chosen.begin(), task.chosen.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return task.links[a].score > task.links[b].score;
  });
  return sorted;
}

std::size_t records_of(std::span<const ScoredLink> links, Record record) {
  std::vector<std::uint32_t> records;
  records.reserve(links.size());
  for (const ScoredLink& link : links) records.push_back(link.*record);
  std::sort(records.begin(), records.end());
  return static_cast<std::size_t>(std::unique(records.begin(), records.end()) - records.begin());
}

double at_or_below(std::span<const double> ascending, double level) {
  return static_cast<double>(std::upper_bound(ascending.begin(), ascending.end(), level) -
                             ascending.begin());
}

// Number of false links, assuming that all links at or below a level are false.
struct FalseLinks {
  double count = 0;
  double level = kNone;
};

// The lowest number given by any decile of the runners-up. Each decile is reduced by one standard
// error; otherwise, the lowest of nine would be too low by chance.
FalseLinks least_false_links(std::span<const double> links, std::span<const double> runners_up) {
  FalseLinks least{static_cast<double>(links.size()), kNone};
  const auto runners = static_cast<double>(runners_up.size());
  for (std::size_t tenth = 1; tenth < 10; ++tenth) {
    const double level = runners_up[runners_up.size() * tenth / 10];
    const double part = at_or_below(runners_up, level) / runners;
    const double error = std::sqrt(part * (1 - part) / runners);
    if (part <= error) continue;
    const double count = at_or_below(links, level) / (part - error);
    if (count <= least.count) least = {count, level};
  }
  return least;
}

std::string side_refusal(std::span<const std::size_t> best, double middle, Side& side,
                         std::string_view others) {
  std::size_t high = 0;
  for (const std::size_t link : best) high += side.runner_up(link) >= middle ? 1U : 0U;
  const double part = static_cast<double>(high) / static_cast<double>(best.size());
  if (part <= kMostHighRunnersUp) return {};
  return fmt::format(
      "{:.0f} % of the best links have a second partner that scores as high: "
      "the {} records seem to contain several of the same entity",
      100 * part, others);
}

std::vector<double> true_parts(std::span<const double> scores, std::span<const std::size_t> ends,
                               std::span<const double> runners_up, const FalseLinks& all_false) {
  std::vector<double> parts;
  std::vector<double> weights;
  parts.reserve(ends.size());
  weights.reserve(ends.size());
  const auto runners = static_cast<double>(runners_up.size());
  std::size_t begin = 0;
  double above = runners;  // runners-up at or below the scores before the band
  for (const std::size_t end : ends) {
    const double below = end < scores.size() ? at_or_below(runners_up, scores[end]) : 0;
    const auto links = static_cast<double>(end - begin);
    const double false_part = all_false.count * (above - below) / runners / links;
    parts.push_back(scores[begin] <= all_false.level ? 0 : 1 - false_part);
    weights.push_back(links);
    above = below;
    begin = end;
  }
  fit_true_parts(parts, weights);
  return parts;
}

LinkEstimate estimate_of(std::span<const double> scores, std::span<const double> runners_up,
                         const FalseLinks& all_false) {
  const std::vector<std::size_t> ends = band_ends(scores);
  const std::vector<double> parts = true_parts(scores, ends, runners_up, all_false);
  LinkEstimate estimate = estimate_of_bands(scores, ends, parts);
  estimate.bands = joined_bands(estimate.bands);
  return estimate;
}

// Ascending scores of the second-best partners of the records in these links.
std::vector<double> runner_up_scores(std::span<const std::size_t> links, Side& side) {
  std::vector<double> scores;
  scores.reserve(links.size());
  for (const std::size_t link : links) {
    const double score = side.runner_up(link);
    if (score > kNone) scores.push_back(score);
  }
  std::sort(scores.begin(), scores.end());
  return scores;
}

std::vector<double> scores_of(const RunnerUpTask& task, std::span<const std::size_t> links) {
  std::vector<double> scores;
  scores.reserve(links.size());
  for (const std::size_t i : links) scores.push_back(task.links[i].score);
  return scores;
}

// Estimates from the runners-up of the best links, reducing their number while too many seem to be
// true.
void estimate(std::span<const double> scores, std::span<const std::size_t> sorted, Side& side,
              RunnerUpEstimate& result) {
  const std::vector<double> ascending(scores.rbegin(), scores.rend());
  std::size_t best = sorted.size() / kBestPart;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<double> runners_up = runner_up_scores(sorted.first(best), side);
    if (runners_up.size() < kFewestRunnersUp) {
      if (round > 0) return;  // the estimate of the round before
      result.refusal =
          fmt::format("{} of the best links have a second partner, at least {} are needed",
                      runners_up.size(), kFewestRunnersUp);
      return;
    }
    result.runners_up = runners_up.size();
    const FalseLinks all_false = least_false_links(ascending, runners_up);
    result.false_links = all_false.count;
    result.estimate = estimate_of(scores, runners_up, all_false);
    const auto half = static_cast<std::size_t>(result.estimate.matches / 2);
    if (half >= best || best <= kFewestLinks) return;
    best = std::max(half, kFewestLinks);
  }
}

}  // namespace

RunnerUpEstimate estimate_by_runners_up(const RunnerUpTask& task) {
  RunnerUpEstimate result;
  if (task.chosen.size() < kFewestLinks) {
    result.refusal =
        fmt::format("{} links, at least {} are needed", task.chosen.size(), kFewestLinks);
    return result;
  }
  Side left(task.links, task.chosen, &ScoredLink::left);
  Side right(task.links, task.chosen, &ScoredLink::right);
  left.find_runners_up();
  right.find_runners_up();
  const std::vector<std::size_t> sorted = by_score(task);
  const std::vector<double> scores = scores_of(task, sorted);
  const std::span<const std::size_t> best = std::span(sorted).first(sorted.size() / kBestPart);
  const double middle = scores[best.size() / 2];
  result.refusal = side_refusal(best, middle, left, "right");
  if (result.refusal.empty()) result.refusal = side_refusal(best, middle, right, "left");
  if (!result.refusal.empty()) return result;
  const bool few_left =
      records_of(task.links, &ScoredLink::left) <= records_of(task.links, &ScoredLink::right);
  estimate(scores, sorted, few_left ? left : right, result);
  const auto links = static_cast<double>(sorted.size());
  if (result.refusal.empty() && result.estimate.matches < kLeastTruePart * links) {
    result.refusal = fmt::format(
        "fewer than a quarter of the {} links seem to be true, too few to be distinguished from "
        "chance",
        sorted.size());
  }
  return result;
}

std::vector<std::size_t> runner_up_pairs(const RunnerUpTask& task) {
  std::vector<std::size_t> sorted = by_score(task);
  sorted.resize(sorted.size() / kBestPart);
  Side left(task.links, sorted, &ScoredLink::left);
  Side right(task.links, sorted, &ScoredLink::right);
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < task.links.size(); ++i) {
    if (left.other_partner(i) != nullptr || right.other_partner(i) != nullptr) pairs.push_back(i);
  }
  return pairs;
}

}  // namespace sosie
