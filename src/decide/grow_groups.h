#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/average_linkage.h"
#include "core/thread_pool.h"

namespace sosie {

// New records and groups that stand.
struct GrowthTask {
  std::uint32_t fresh = 0;                  // new records, numbered before all others
  std::span<const std::uint32_t> group_of;  // by older record: number of its group
  // Links, cut and rules of all records. Of each link or certain pair one record at least is new.
  LinkageTask linkage;
  bool joins_groups = false;  // older groups that new records join become one
};

// Two groups that a new record would join, or has joined.
struct WouldJoin {
  std::uint32_t left = 0;  // the lower number, which groups that were joined keep
  std::uint32_t right = 0;
  std::uint32_t record = 0;  // the new record that is nearest to both
  double probability = 0;    // average probability that it is of the group that it is farther from
};

inline constexpr std::uint32_t kNoGroup = 0xFFFFFFFF;

// Groups of new records.
struct GroupGrowth {
  std::vector<std::uint32_t> group;  // by new record: the older group that it joins, or kNoGroup
  std::vector<std::uint32_t> first;  // by new record without one: the first record of its new group
  std::vector<double> weakest;       // by new record: least probability of a pair of its group; -1
                                     // of a single one
  std::vector<WouldJoin> would_join;  // by left and right
  // By older group, if groups are joined: the one that it is part of now, the first of those
  // joined.
  std::vector<std::uint32_t> part_of;
};

// Puts new records into groups by average linkage, in which older groups are joined from the start
// and never with each other unless that is asked for: a new record joins one of them, makes a group
// with other new ones, or is single. Groups that the linkage would join if it might are listed; if
// it may, each of them with the first one. Does not depend on threads. Throws Error{cancelled}.
[[nodiscard]] GroupGrowth grow_groups(const GrowthTask& task, ThreadPool& pool);

}  // namespace sosie
