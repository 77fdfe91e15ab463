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

// A run whose items are merged into another one.
struct MergedRun {
  IndexRun* run = nullptr;
  std::uint64_t add_to_number = 0;  // for items of another index
  std::uint32_t add_to_file = 0;
};

// The output file of a merge.
struct MergeTarget {
  const std::string& folder;
  std::uint64_t number = 0;
  IndexShape shape;
  const std::atomic<bool>* cancel = nullptr;
};

// Writes a run with the remaining items of several runs, whose numbers must ascend from run to run.
// Reads and writes sequentially, with one block of each run in memory. Throws as IndexRun and
// IndexRunWriter do, and Error{cancelled}.
[[nodiscard]] RunEntry merge_runs(std::span<const MergedRun> runs, const MergeTarget& target);

// Selects the runs to merge after a change: all runs from the returned position on. Thus few runs
// remain, and each is several times larger than the next. `items`: number of items in each run, in
// order.
[[nodiscard]] std::size_t first_to_merge(std::span<const std::uint64_t> items);

// A merge of the last runs of an index into one, while the index is used and changed. IndexWriter
// begins and ends it; between these, run() may execute in another thread.
class BackgroundMerge {
 public:
  // Merges the last `runs`, with their removals so far, into the file with this number.
  BackgroundMerge(std::string folder, const IndexShape& shape, std::vector<RunEntry> runs,
                  std::uint64_t number);

  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  // Writes the merged run. Throws as merge_runs() does.
  void run(const std::atomic<bool>* cancel);
  // Called after run(): the runs of a later state with the merged run in place of its sources, from
  // which the items removed meanwhile are also removed. Empty if the sources no longer exist.
  [[nodiscard]] std::optional<std::vector<RunEntry>> applied_to(std::vector<RunEntry> now) const;

 private:
  std::string folder_;
  IndexShape shape_;
  std::vector<RunEntry> runs_;
  std::uint64_t number_;
  std::optional<RunEntry> merged_;  // no items: all were removed
};

}  // namespace sosie
