// Chooses pairs of records for a person to label.
#include "decide/suggest_pairs.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/mix64.h"

namespace sosie {
namespace {

// Sum of the weights of strata that still have pairs.
double open_weight(std::span<const double> weights, std::span<const std::uint64_t> sizes,
                   std::span<const std::uint64_t> counts) {
  double sum = 0;
  for (std::size_t s = 0; s < weights.size(); ++s) sum += counts[s] < sizes[s] ? weights[s] : 0;
  return sum;
}

// Number of pairs to suggest from each stratum, at most all of its pairs: shares of `most` by
// weight, with remainders rounded up from the largest.
std::vector<std::uint64_t> allotted(std::span<const double> weights,
                                    std::span<const std::uint64_t> sizes, std::uint64_t most) {
  std::vector<std::uint64_t> counts(weights.size(), 0);
  std::uint64_t left = most;
  // Strata that are used up pass the rest of their shares to the others.
  while (left > 0) {
    const double sum = open_weight(weights, sizes, counts);
    if (sum <= 0) break;
    std::vector<std::pair<double, std::size_t>> remainders;
    std::uint64_t given = 0;
    for (std::size_t s = 0; s < weights.size(); ++s) {
      if (counts[s] >= sizes[s] || weights[s] <= 0) continue;
      const double part = static_cast<double>(left) * weights[s] / sum;
      const auto whole = std::min(static_cast<std::uint64_t>(part), sizes[s] - counts[s]);
      counts[s] += whole;
      given += whole;
      remainders.emplace_back(-(part - std::floor(part)), s);
    }
    left -= given;
    if (given > 0) continue;
    std::sort(remainders.begin(), remainders.end());
    if (remainders.size() > left) remainders.resize(left);
    for (const auto& [remainder, s] : remainders) ++counts[s];
    left -= remainders.size();
  }
  return counts;
}

}  // namespace

std::vector<std::size_t> suggest_pairs(std::span<const AskablePair> pairs, std::size_t strata,
                                       std::uint64_t most, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> members(strata);
  std::vector<double> weights(strata);
  std::vector<std::uint64_t> sizes(strata);
  for (std::size_t i = 0; i < pairs.size(); ++i) members[pairs[i].stratum].push_back(i);
  for (std::size_t s = 0; s < strata; ++s) {
    sizes[s] = members[s].size();
    double sum = 0;
    double size = 0;
    for (const std::size_t i : members[s]) {
      const double p = pairs[i].probability;
      sum += pairs[i].weight * (p + pairs[i].doubt * (0.5 - p));
      size += pairs[i].weight;
    }
    if (sizes[s] == 0) continue;
    const double mean = std::clamp(sum / size, 0.0, 1.0);  // sums round
    weights[s] = size * std::sqrt(mean * (1 - mean));
  }
  const std::vector<std::uint64_t> counts = allotted(weights, sizes, most);
  std::vector<std::size_t> chosen;
  for (std::size_t s = 0; s < strata; ++s) {
    std::vector<std::size_t>& of = members[s];
    std::sort(of.begin(), of.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(pairs[a].probability, pairs[a].kind, pairs[a].number) <
             std::tuple(pairs[b].probability, pairs[b].kind, pairs[b].number);
    });
    const std::uint64_t start = random64(seed, s);
    for (std::uint64_t n = 0; n < counts[s]; ++n) {
      // Divides the list into equal parts and takes the same random position in each part.
      constexpr double kUnits = 18446744073709551616.0;  // 2^64
      const double place = (static_cast<double>(n) + static_cast<double>(start) / kUnits) *
                           static_cast<double>(of.size()) / static_cast<double>(counts[s]);
      chosen.push_back(of[std::min(of.size() - 1, static_cast<std::size_t>(place))]);
    }
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(random64(seed, pairs[a].number), a) <
           std::tuple(random64(seed, pairs[b].number), b);
  });
  return chosen;
}

}  // namespace sosie
