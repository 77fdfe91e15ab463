#include "pipeline/audit_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/hash64.h"

namespace sosie {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::size_t kTail = kResamples / 40;  // 2.5 %
constexpr double kNormalQuantile = 1.959963984540054;

struct Interval {
  double low;
  double high;
};

double ratio(const PairTally& tally) {
  return static_cast<double>(tally.found_pairs) / static_cast<double>(tally.true_pairs);
}

Interval bootstrap(std::span<const PairTally> documents, double recall, std::uint64_t seed,
                   ThreadPool& pool) {
  std::vector<double> recalls(kResamples, recall);
  pool.for_each(kResamples, [&](unsigned, std::size_t resample) {
    PairTally sum;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const std::uint64_t random = random64(seed, resample * documents.size() + i);
      const PairTally& drawn = documents[multiply128(random, documents.size()).high];
      sum.true_pairs += drawn.true_pairs;
      sum.found_pairs += drawn.found_pairs;
    }
    if (sum.true_pairs > 0) recalls[resample] = ratio(sum);
  });
  std::sort(recalls.begin(), recalls.end());
  return {recalls[kTail], recalls[kResamples - 1 - kTail]};
}

// How many pairs drawn one by one would tell as much: less than there are when a few documents
// have most of them.
double effective_pairs(std::span<const PairTally> documents) {
  double sum = 0;
  double squares = 0;
  for (const PairTally& tally : documents) {
    const auto pairs = static_cast<double>(tally.true_pairs);
    sum += pairs;
    squares += pairs * pairs;
  }
  return sum * sum / squares;
}

Interval wilson(double p, double n) {
  constexpr double kSquare = kNormalQuantile * kNormalQuantile;
  const double middle = p + kSquare / (2 * n);
  const double half = kNormalQuantile * std::sqrt(p * (1 - p) / n + kSquare / (4 * n * n));
  return {(middle - half) / (1 + kSquare / n), (middle + half) / (1 + kSquare / n)};
}

}  // namespace

RecallEstimate estimate_recall(std::span<const PairTally> documents, std::uint64_t seed,
                               ThreadPool& pool) {
  PairTally sum;
  for (const PairTally& tally : documents) {
    sum.true_pairs += tally.true_pairs;
    sum.found_pairs += tally.found_pairs;
  }
  if (sum.true_pairs == 0) return {};
  RecallEstimate estimate{sum.true_pairs, sum.found_pairs, ratio(sum), 0, 1};
  const Interval drawn = bootstrap(documents, estimate.recall, seed, pool);
  const Interval least = wilson(estimate.recall, effective_pairs(documents));
  estimate.low = std::max(0.0, std::min(drawn.low, least.low));
  estimate.high = std::min(1.0, std::max(drawn.high, least.high));
  return estimate;
}

}  // namespace sosie
