// Merges runs of an index beside those who read and change it.
#include "store/index/background_merge.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/index/merge_runs.h"

namespace sosie {
namespace {

// Appends the items of `run` that were removed since it was merged, as items of the merged run;
// `base`: its first one there.
void append_removed(const RunEntry& before, const RunEntry& now, std::uint32_t base,
                    std::vector<std::uint32_t>& out) {
  std::size_t gone = 0;  // removed before the merge, in front of the item
  for (const std::uint32_t item : now.removed) {
    while (gone < before.removed.size() && before.removed[gone] < item) ++gone;
    const bool was = gone < before.removed.size() && before.removed[gone] == item;
    if (!was) out.push_back(base + item - static_cast<std::uint32_t>(gone));
  }
}

}  // namespace

BackgroundMerge::BackgroundMerge(std::string folder, const IndexShape& shape,
                                 std::vector<RunEntry> runs, std::uint64_t number)
    : folder_(std::move(folder)), shape_(shape), runs_(std::move(runs)), number_(number) {}

void BackgroundMerge::run(const std::atomic<bool>* cancel) {
  std::vector<std::unique_ptr<IndexRun>> opened;
  std::vector<MergedRun> merged;
  for (const RunEntry& entry : runs_) {
    opened.push_back(IndexRun::open(index_file(folder_, "run", entry.number), entry, shape_));
    if (!opened.back()) throw Error(ErrorKind::io, folder_ + ": a run has gone");
    merged.push_back({opened.back().get()});
  }
  const bool is_empty = std::all_of(opened.begin(), opened.end(),
                                    [](const auto& run) { return run->present() == 0; });
  merged_ = is_empty ? RunEntry() : merge_runs(merged, {folder_, number_, shape_, cancel});
}

std::optional<std::vector<RunEntry>> BackgroundMerge::applied_to(std::vector<RunEntry> now) const {
  const auto first =
      std::search(now.begin(), now.end(), runs_.begin(), runs_.end(),
                  [](const RunEntry& a, const RunEntry& b) { return a.number == b.number; });
  if (first == now.end() || !merged_) return std::nullopt;
  RunEntry merged = *merged_;
  std::uint32_t base = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    append_removed(runs_[i], *std::next(first, static_cast<std::ptrdiff_t>(i)), base,
                   merged.removed);
    base += runs_[i].items - static_cast<std::uint32_t>(runs_[i].removed.size());
  }
  const auto behind = now.erase(first, std::next(first, static_cast<std::ptrdiff_t>(runs_.size())));
  if (merged.items > 0) now.insert(behind, std::move(merged));
  return now;
}

}  // namespace sosie
