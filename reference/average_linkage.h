#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

// Average linkage as defined in cluster/average_linkage.h, by examining all pairs of groups in
// every step. Probabilities are whole numbers, so sums are exact.
namespace sosie::reference {

using Records = std::set<std::size_t>;
using PairOfRecords = std::pair<std::size_t, std::size_t>;  // ascending

struct LinkageWorld {
  std::size_t records = 0;
  std::map<PairOfRecords, double> links;
  double cut = 0;
  std::function<double(std::size_t, std::size_t)> probability;  // called for pairs without a link
  std::function<bool(std::size_t, std::size_t)> never;
};

struct Joint {
  double average = 0;
  std::size_t size = 0;  // in bits
  PairOfRecords earliest;
  bool complete = false;
  std::size_t a = 0;
  std::size_t b = 0;

  [[nodiscard]] bool better_than(const Joint& other) const {
    return std::make_tuple(-average, size, earliest) <
           std::make_tuple(-other.average, other.size, other.earliest);
  }
};

// Calls see(x, y), x < y, for each pair of a record in `a` and a record in `b`.
template <class See>
void each_pair(const Records& a, const Records& b, const See& see) {
  for (const std::size_t x : a) {
    for (const std::size_t y : b) see(PairOfRecords{std::min(x, y), std::max(x, y)});
  }
}

// The two groups, judged by the pairs scored so far; empty if there is no link between them.
inline std::optional<Joint> joint_of(const LinkageWorld& world,
                                     const std::map<PairOfRecords, double>& scored,
                                     const Records& a, const Records& b) {
  Joint joint;
  double sum = 0;
  std::size_t count = 0;
  bool linked = false;
  bool forbidden = false;
  each_pair(a, b, [&](const PairOfRecords& pair) {
    forbidden = forbidden || (world.never && world.never(pair.first, pair.second));
    if (world.links.contains(pair)) {
      joint.earliest = linked ? std::min(joint.earliest, pair) : pair;
      linked = true;
    }
    const auto known = scored.find(pair);
    if (known == scored.end()) return;
    sum += known->second;
    ++count;
  });
  if (!linked || forbidden) return std::nullopt;
  joint.average = sum / static_cast<double>(count);
  joint.size = static_cast<std::size_t>(std::bit_width(a.size() + b.size()));
  joint.complete = count == a.size() * b.size();
  return joint;
}

// Groups in order of their first records; some records may already be joined in `groups`.
inline std::vector<Records> average_linkage(const LinkageWorld& world,
                                            std::vector<Records> groups) {
  std::map<PairOfRecords, double> scored = world.links;
  while (true) {
    std::optional<Joint> best;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        std::optional<Joint> joint = joint_of(world, scored, groups[a], groups[b]);
        if (!joint || joint->average < world.cut) continue;
        joint->a = a;
        joint->b = b;
        if (!best || joint->better_than(*best)) best = joint;
      }
    }
    if (!best) break;
    if (best->complete) {
      groups[best->a].insert(groups[best->b].begin(), groups[best->b].end());
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best->b));
      continue;
    }
    each_pair(groups[best->a], groups[best->b], [&](const PairOfRecords& pair) {
      if (!scored.contains(pair)) scored[pair] = world.probability(pair.first, pair.second);
    });
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

}  // namespace sosie::reference
