#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/average_linkage.h"
#include "core/thread_pool.h"

namespace sosie {

// New records, and the groups that existed before them.
struct GrowthTask {
  std::uint32_t fresh = 0;                  // new records, numbered before all others
  std::span<const std::uint32_t> group_of;  // by older record: number of its group
  // Links, cut and rules of all records. Each link or certain pair contains at least one new
  // record.
  LinkageTask linkage;
  bool joins_groups = false;  // older groups that new records join become one group
};

// Two groups that a new record would join or has joined.
struct WouldJoin {
  std::uint32_t left = 0;  // the lower number, which joined groups keep
  std::uint32_t right = 0;
  std::uint32_t record = 0;  // the new record that is nearest to both
  double probability = 0;    // average probability that it belongs to the farther group
};

inline constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

// The groups of new records.
struct GroupGrowth {
  std::vector<std::uint32_t> group;  // by new record: the older group that it joins, or kNoGroup
  std::vector<std::uint32_t> first;  // by new record without one: the first record of its new group
  std::vector<double> weakest;       // by new record: lowest probability of a pair in its group; -1
                                     // if single
  std::vector<WouldJoin> would_join;  // by left and right
  // If groups are joined: for each older group, the group to which it now belongs, which is the
  // first of the joined groups. A group that rules split is not joined with any other.
  std::vector<std::uint32_t> part_of;
};

// Adds new records to groups by average linkage. Older groups are complete from the start and are
// not joined with each other unless requested; each new record joins one of them, forms a group
// with other new records, or remains single. The result lists the groups that the linkage would
// join if allowed or, if it is allowed, each joined group with the first one. It does not depend on
// the number of threads. Throws Error{cancelled}.
[[nodiscard]] GroupGrowth grow_groups(const GrowthTask& task, ThreadPool& pool);

}  // namespace sosie
