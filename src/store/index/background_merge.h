#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/index/index_run.h"

namespace sosie {

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
