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
  double cut = 0.5;                   // least average probability at which groups are joined
  // Probability of a pair that is not among the links, left < right. Called by several workers.
  std::function<double(unsigned worker, std::uint32_t left, std::uint32_t right)> probability;
  // Pairs that share a group whatever their probability, unless `never` forbids it; left < right.
  std::span<const RecordPair> always;
  // Two records never share a group when never(class, class) says so of their classes, in whichever
  // order. Records of one class are alike to it: the values of the fields that it asks for.
  std::span<const std::uint32_t> never_class;  // by record; empty: no pair is forbidden
  std::function<bool(std::uint32_t, std::uint32_t)> never;
  bool describes_groups = true;  // false: RecordGroups::groups stays empty, and no pair is compared
                                 // to find the weakest
};

// A group of two or more records.
struct RecordGroup {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
  RecordPair weakest;        // the pair of the lowest probability, the first of equal ones
  double probability = 0;    // probability of the weakest pair
  bool all_compared = true;  // false in large groups, where the weakest pair is that of a sample
};

struct RecordGroups {
  std::vector<std::uint32_t> first;  // by record: the first record of its group
  std::vector<RecordGroup> groups;   // by first record; empty where none was asked for
  std::uint64_t scored = 0;          // calls of task.probability
};

// Groups of one entity by average linkage: while there is a pair of groups whose average
// probability over all pairs of their records reaches the cut, the pair of the highest average is
// joined (ties: the smaller power of two of the joint size, then the earliest link).
//
// Only groups with a link between them are joined, and pairs that have not been scored are taken to
// be no likelier than the scored ones between the same groups: when a pair of groups is the best by
// its scored pairs, the others are scored, and the average over all of them decides. So a component
// of records costs what it joins, not the square of its size. Averages over more than
// kScoredBetweenGroups pairs are estimated from so many pairs, drawn by a hash. In groups of at
// most kComparedGroup records all pairs are compared to find the weakest, in larger ones 16 drawn
// partners of each record.
//
// Probabilities count in units of 2^-28, so that sums are exact in any order; values outside of
// [0, 1] count as the nearer end, NaN as 0. The result does not depend on threads. Throws
// Error{cancelled}, also within a component. Memory: 20 bytes a record, 12 a link, and about 150 a
// link of the components being worked on, one a worker; nothing grows with the pairs of a
// component. Source: Sokal, Michener 1958 (UPGMA).
[[nodiscard]] RecordGroups average_linkage(const LinkageTask& task, ThreadPool& pool);

inline constexpr std::uint64_t kScoredBetweenGroups = 512;
inline constexpr std::uint32_t kComparedGroup = 256;

}  // namespace sosie
