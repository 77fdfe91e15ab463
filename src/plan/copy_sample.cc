// Estimates how many distinct texts a collection has, from the copies in a sample of its rows.
#include "plan/copy_sample.h"

#include <algorithm>
#include <span>

#include "plan/candidate_probability.h"

namespace sosie {
namespace {

// A larger sample forgets the rows of every other text.
constexpr std::size_t kMostKeptRows = std::size_t{1} << 17;
constexpr int kFitSteps = 1000;

// A possible number of times that a text occurs in the collection.
struct Occurrences {
  double seen = 0;              // probability that the sample contains the text
  std::vector<double> of_seen;  // by k: probability of k times, if it contains the text
  double texts = 1;             // number of texts in the sample that occur so many times
};

// Binomial probabilities, from k = 0 on.
Occurrences occurrences_of(std::uint64_t times, double drawn_share, std::size_t most_times) {
  Occurrences one;
  one.of_seen.assign(most_times + 1, 0);
  const double odds = drawn_share / (1 - drawn_share);
  double chance = integer_power(1 - drawn_share, times);
  one.seen = 1 - chance;
  for (std::size_t k = 1; k <= most_times && k <= times; ++k) {
    chance *= odds * static_cast<double>(times - k + 1) / static_cast<double>(k);
    one.of_seen[k] = chance / one.seen;
  }
  return one;
}

// Weights that make the counted numbers of texts by k more likely (a step of expectation
// maximisation).
void fit(std::span<const double> counted, std::vector<Occurrences>& mixture) {
  std::vector<double> texts(mixture.size(), 0);
  for (std::size_t k = 1; k < counted.size(); ++k) {
    double all = 0;
    for (const Occurrences& one : mixture) all += one.texts * one.of_seen[k];
    if (all <= 0) continue;
    for (std::size_t i = 0; i < mixture.size(); ++i) {
      texts[i] += counted[k] * mixture[i].texts * mixture[i].of_seen[k] / all;
    }
  }
  for (std::size_t i = 0; i < mixture.size(); ++i) mixture[i].texts = texts[i];
}

}  // namespace

void CopySample::add(std::uint64_t copy_key, Part part) {
  ++added_;
  if (copy_key > limit_) return;
  rows_.push_back({copy_key, part});
  if (rows_.size() < kMostKeptRows) return;
  limit_ /= 2;
  stands_for_ *= 2;
  std::erase_if(rows_, [this](const Row& row) { return row.key > limit_; });
}

double CopySample::Times::distinct() const noexcept {
  double sum = more_often;
  for (const double some : texts) sum += some;
  return sum;
}

CopySample::Times CopySample::count() const {
  std::vector<Row> rows = rows_;
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  Times times;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    bool in_part[2] = {};
    while (end < rows.size() && rows[end].key == rows[begin].key) {
      in_part[static_cast<std::size_t>(rows[end++].part)] = true;
    }
    const std::size_t k = end - begin;
    (k <= kMostTimes ? times.texts[k] : times.more_often) += 1;
    if (k > 1) {
      times.repeated += 1;
      times.in_both_parts += in_part[0] && in_part[1] ? 1 : 0;
      times.expected_in_both += 1 - integer_power(0.5, k - 1);
    }
    begin = end;
  }
  return times;
}

// Fits a mixture of numbers of occurrences, which tells how many texts the sample missed.
double CopySample::distinct_of(const Times& times, double drawn_share) {
  if (drawn_share >= 1) return times.distinct();
  std::vector<Occurrences> mixture;
  const double most = 2 * static_cast<double>(kMostTimes) / drawn_share;
  for (std::uint64_t many = 1; static_cast<double>(many) <= most; many += (many + 2) / 3) {
    mixture.push_back(occurrences_of(many, drawn_share, kMostTimes));
  }
  for (int step = 0; step < kFitSteps; ++step) fit(times.texts, mixture);
  double sum = times.more_often;
  for (const Occurrences& one : mixture) sum += one.texts / one.seen;
  return sum;
}

std::uint64_t CopySample::distinct_among(std::uint64_t rows, std::uint64_t seen) const {
  const Times times = count();
  if (times.repeated == 0 || rows == 0) return rows;
  const auto all = static_cast<double>(rows);
  const auto drawn_from = static_cast<double>(std::clamp(seen, added_, std::max(added_, rows)));
  const auto added = static_cast<double>(added_);
  // Copies that stand close together leave the rows that were not seen with texts of their own. By
  // chance, a few less than expected stand in both parts.
  const double anywhere = times.expected_in_both <= 0
                              ? 1
                              : std::min(1.0, 2 * times.in_both_parts / times.expected_in_both);
  const double close = distinct_of(times, added / drawn_from) * all / drawn_from;
  const double spread = distinct_of(times, added / std::max(added, all));
  const double distinct = stands_for_ * (anywhere * spread + (1 - anywhere) * close);
  return static_cast<std::uint64_t>(
      std::clamp(distinct, std::min(all, stands_for_ * times.distinct()), all));
}

}  // namespace sosie
