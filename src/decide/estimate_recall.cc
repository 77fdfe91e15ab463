// Bootstrap and Wilson intervals for a recall measured on a sample.
#include "decide/estimate_recall.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::size_t kTail = kResamples / 40;  // 2.5 %
constexpr double kNormalQuantile = 1.959963984540054;
constexpr std::uint64_t kFewestTruePairs = 30;
constexpr std::uint64_t kBootstrapSalt = 0xB0075742A9D1C36EULL;
// Makes the sample independent of the planner's, which also depends on seed and row.
constexpr std::uint64_t kDrawSalt = 0x5EA2C4A0D17B39F6ULL;

struct PartInterval {
  double low;
  double high;
};

double ratio(const PairTally& tally) {
  return static_cast<double>(tally.found_pairs) / static_cast<double>(tally.true_pairs);
}

PartInterval bootstrap(std::span<const PairTally> documents, double recall, std::uint64_t seed,
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

// Effective number of independent pairs: lower than the number of pairs if most pairs belong to a
// few documents.
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

PartInterval wilson(double p, double n) {
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
  const PartInterval drawn = bootstrap(documents, estimate.recall, seed, pool);
  const PartInterval least = wilson(estimate.recall, effective_pairs(documents));
  estimate.low = std::max(0.0, std::min(drawn.low, least.low));
  estimate.high = std::min(1.0, std::max(drawn.high, least.high));
  return estimate;
}

std::vector<std::uint32_t> draw_numbers(std::uint32_t begin, std::uint32_t end,
                                        const std::function<bool(std::uint32_t)>& takes_part,
                                        std::uint64_t count, std::uint64_t seed) {
  using Drawn = std::pair<std::uint64_t, std::uint32_t>;  // hash, number
  std::vector<Drawn> heap;                                // the smallest hashes, largest on top
  if (count == 0) return {};
  for (std::uint32_t number = begin; number < end; ++number) {
    if (!takes_part(number)) continue;
    const Drawn drawn{random64(seed ^ kDrawSalt, number), number};
    if (heap.size() == count && !(drawn < heap.front())) continue;
    if (heap.size() == count) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back(drawn);
    std::push_heap(heap.begin(), heap.end());
  }
  std::vector<std::uint32_t> numbers;
  numbers.reserve(heap.size());
  for (const Drawn& drawn : heap) numbers.push_back(drawn.second);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void conclude(std::span<const PairTally> all, std::span<const PairTally> slice, std::uint64_t seed,
              ThreadPool& pool, AuditFacts& facts) {
  facts.all = estimate_recall(all, seed ^ kBootstrapSalt, pool);
  facts.slice = estimate_recall(slice, seed ^ kBootstrapSalt, pool);
  if (facts.sampled == facts.documents) {
    facts.all.low = facts.all.high = facts.all.recall;
    facts.slice.low = facts.slice.high = facts.slice.recall;
  }
  facts.enough = facts.all.true_pairs >= kFewestTruePairs;
  facts.below_recall = facts.enough && facts.all.high < facts.asked;
}

}  // namespace sosie
