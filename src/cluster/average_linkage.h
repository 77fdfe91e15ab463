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
  std::span<const ScoredLink> links;  // pairs within one collection; only probabilities matter
  double cut = 0.5;                   // minimum average probability for joining groups
  // Probability of a pair (left < right) that is not among the links. Called concurrently by
  // several workers.
  std::function<double(unsigned worker, std::uint32_t left, std::uint32_t right)> probability;
  // Pairs (left < right) that share a group regardless of their probability, unless `never` forbids
  // it.
  std::span<const RecordPair> always;
  // Two records never share a group if never(class, class), called with their classes in either
  // order, is true. Records of the same class have equal values in the fields that it reads, so
  // that it cannot tell them apart.
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
  std::uint64_t scored = 0;          // number of calls to task.probability
};

// Groups records of the same entity by average linkage. As long as the average probability over all
// pairs of records between some two groups reaches the cut, the two groups with the highest average
// are joined (ties: the smaller power of two of the joint size, then the earliest link). Only
// groups with a link between them are joined. Pairs that have not been scored are assumed to be no
// more likely than the scored pairs between the same two groups. If two groups have the highest
// average of scored pairs, their other pairs are scored too, and the average over all of them
// decides. The cost of a component therefore depends on the groups that are joined, not on the
// square of its size. Averages over more than kScoredBetweenGroups pairs are estimated from that
// many pairs, sampled by a hash. To find the weakest pair, all pairs are compared in groups of at
// most kComparedGroup records; in larger groups, each record is compared with 16 sampled partners.
// Probabilities are multiples of 2^-28, so sums are exact in any order; values outside [0, 1] are
// clamped, and NaN counts as 0. The result does not depend on the number of threads. Throws
// Error{cancelled}, even in the middle of a component. Memory: 20 bytes per record, 12 per link,
// and about 150 per link of the components in progress, one per worker; nothing grows with the
// number of pairs in a component. Source: Sokal, Michener 1958 (UPGMA).
[[nodiscard]] RecordGroups average_linkage(const LinkageTask& task, ThreadPool& pool);

inline constexpr std::uint64_t kScoredBetweenGroups = 512;
inline constexpr std::uint32_t kComparedGroup = 256;

}  // namespace sosie
