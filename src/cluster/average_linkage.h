#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/scored_link.h"

namespace sosie {

struct LinkageTask {
  std::uint32_t records = 0;
  std::span<const ScoredLink> links;  // pairs of one collection; only probabilities count
  double cut = 0.5;                   // minimum average probability for joining groups
  // Probability of a pair that is not among the links, left < right. Called concurrently by several
  // workers.
  std::function<double(unsigned worker, std::uint32_t left, std::uint32_t right)> probability;
  // Pairs that share a group regardless of their probability, unless `never` forbids it; left <
  // right.
  std::span<const RecordPair> always;
  // Two records never share a group if never(class, class) is true for their classes, in either
  // order. Records of the same class are indistinguishable to it: they have equal values in the
  // fields that it reads.
  std::span<const std::uint32_t> never_class;  // by record; empty: no pair is forbidden
  std::function<bool(std::uint32_t, std::uint32_t)> never;
  bool describes_groups = true;  // false: RecordGroups::groups stays empty, and no pair is compared
                                 // to find the weakest
};

// A group of two or more records.
struct RecordGroup {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
  RecordPair weakest;        // the pair with the lowest probability (ties: the first)
  double probability = 0;    // probability of the weakest pair
  bool all_compared = true;  // false in large groups, where the weakest pair is taken from a sample
};

struct RecordGroups {
  std::vector<std::uint32_t> first;  // by record: the first record of its group
  std::vector<RecordGroup> groups;   // by first record; empty if not requested
  std::uint64_t scored = 0;          // number of calls of task.probability
};

// Groups of records of the same entity by average linkage: while there is a pair of groups whose
// average probability over all pairs of their records reaches the cut, the pair with the highest
// average is joined (ties: the smaller power of two of the joint size, then the earliest link).
//
// Only groups with a link between them are joined, and pairs that have not been scored are assumed
// to be no more likely than the scored ones between the same groups: if a pair of groups is the
// best by its scored pairs, the others are scored, and the average over all of them decides. So the
// cost of a component depends on the groups that it joins, not on the square of its size. Averages
// over more than kScoredBetweenGroups pairs are estimated from that many pairs, sampled by a hash.
// In groups of at most kComparedGroup records all pairs are compared to find the weakest, in larger
// ones 16 sampled partners of each record.
//
// Probabilities are multiples of 2^-28, so that sums are exact in any order; values outside of [0,
// 1] are clamped, NaN counts as 0. The result does not depend on threads. Throws Error{cancelled},
// also within a component. Memory: 20 bytes per record, 12 per link, and about 150 per link of the
// components in progress, one per worker; nothing grows with the pairs of a component. Source:
// Sokal, Michener 1958 (UPGMA).
[[nodiscard]] RecordGroups average_linkage(const LinkageTask& task, ThreadPool& pool);

inline constexpr std::uint64_t kScoredBetweenGroups = 512;
inline constexpr std::uint32_t kComparedGroup = 256;

}  // namespace sosie
