#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/average_linkage.h"

namespace sosie {

// A component of linked records.
struct LinkedComponent {
  std::span<const std::uint32_t> records;  // ascending
  std::span<const std::uint32_t> place;    // by record: its place in `records`
  std::span<const std::uint64_t> links;    // indexes of its links, ascending
  std::span<const std::uint32_t> always;   // indexes of its pairs that always share a group
};

// A worker of a pool.
struct LinkageWorker {
  const ThreadPool& pool;
  unsigned number = 0;
};

// Groups the records of one component (average_linkage.h): writes their first[], appends groups,
// counts what is scored. Throws Error{cancelled}.
void link_component(const LinkageTask& task, const LinkedComponent& component,
                    const LinkageWorker& worker, std::span<std::uint32_t> first,
                    RecordGroups& found);

}  // namespace sosie
