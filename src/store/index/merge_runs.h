#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/index/index_run.h"

namespace sosie {

// A run whose items go into another one.
struct MergedRun {
  IndexRun* run = nullptr;
  std::uint64_t add_to_number = 0;  // for items of another index
  std::uint32_t add_to_file = 0;
};

// The file that a merge writes.
struct MergeTarget {
  const std::string& folder;
  std::uint64_t number = 0;
  IndexShape shape;
  const std::atomic<bool>* cancel = nullptr;
};

// Writes one run of the items of several that are not removed; their numbers ascend from run to
// run. Reads and writes in order, with a block of each run in memory. Throws as IndexRun and
// IndexRunWriter do, Error{cancelled}.
[[nodiscard]] RunEntry merge_runs(std::span<const MergedRun> runs, const MergeTarget& target);

// Which runs are merged behind a change, so that few are left and each is several times larger than
// the next one: those from the returned one on. `items`: of the runs, in their order.
[[nodiscard]] std::size_t first_to_merge(std::span<const std::uint64_t> items);

}  // namespace sosie
