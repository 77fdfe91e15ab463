#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// The merging of the last runs of an index into one, while the index is used and changed.
// IndexWriter begins and ends it; run() may go on beside both, in another thread.
class BackgroundMerge {
 public:
  // Merges the last `runs`, with what is removed of them by now, into the file of this number.
  BackgroundMerge(std::string folder, const IndexShape& shape, std::vector<RunEntry> runs,
                  std::uint64_t number);

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  // Writes the merged run. Throws as merge_runs() does.
  void run(const std::atomic<bool>* cancel);
  // Behind run(): the runs of a later state, with the merged one in the place of those that it was
  // made of, and of it removed what was removed meanwhile. Nothing if they are not there any more.
  [[nodiscard]] std::optional<std::vector<RunEntry>> applied_to(std::vector<RunEntry> now) const;

 private:
  std::string folder_;
  IndexShape shape_;
  std::vector<RunEntry> runs_;
  std::uint64_t number_;
  std::optional<RunEntry> merged_;  // no items: all were removed
};

}  // namespace sosie
