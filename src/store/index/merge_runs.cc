// Merges runs of an index: concatenates items, merges keys in order.
#include "store/index/merge_runs.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/index/index_run_writer.h"

namespace sosie {
namespace {

constexpr std::size_t kMostRuns = 4;
constexpr std::uint64_t kGrowth = 4;  // least ratio of neighbours, roughly

// Reads the keys of a band in one run in order, with the new numbers of their items.
class KeyCursor {
 public:
  KeyCursor(const IndexRun& run, std::uint32_t base, std::size_t band)
      : run_(run), base_(base), band_(band) {
    next();
  }

  [[nodiscard]] bool has_ended() const noexcept { return at_ == entries_.size(); }
  [[nodiscard]] const KeyEntry& entry() const noexcept { return entry_; }
  void next() {
    do {
      if (++at_ >= entries_.size() && !load()) return;
    } while (run_.is_removed(entries_[at_].item));
    entry_ = {entries_[at_].key, base_ + run_.present_before(entries_[at_].item)};
  }

 private:
  // Reads the next block; returns false after the last one.
  bool load() {
    entries_.clear();
    at_ = 0;
    if (block_ == run_.key_blocks(band_)) return false;
    run_.read_keys(band_, block_++, buffer_, entries_);
    const unsigned more_bits = run_.more_key_bits(band_);
    if (more_bits > 0) shorten_keys(more_bits);
    return true;
  }

  // Items whose keys become equal must ascend, in later blocks, too.
  void shorten_keys(unsigned bits) {
    while (block_ < run_.key_blocks(band_) &&
           run_.first_key(band_, block_) >> bits == entries_.back().key >> bits) {
      run_.read_keys(band_, block_++, buffer_, entries_);
    }
    for (KeyEntry& entry : entries_) entry.key >>= bits;
    std::sort(entries_.begin(), entries_.end());
  }

  const IndexRun& run_;
  std::uint32_t base_;
  std::size_t band_;
  std::size_t block_ = 0;
  std::size_t at_ = 0;
  KeyEntry entry_{0, 0};
  std::vector<KeyEntry> entries_;
  RunBuffer buffer_;
};

class Merge {
 public:
  Merge(std::span<const MergedRun> runs, const MergeTarget& target)
      : runs_(runs),
        target_(target),
        // Items that are identified by number get new names as well.
        renumbers_(std::any_of(runs.begin(), runs.end(),
                               [](const MergedRun& merged) {
                                 return merged.add_to_number > 0 || merged.add_to_file > 0;
                               })),
        out_(target.folder, target.number, target.shape, target.cancel) {}

  RunEntry run() {
    for (const MergedRun& merged : runs_) add_items(merged);
    for (std::size_t band = 0; band <= target_.shape.bands; ++band) {
      if (band == target_.shape.bands && !names_.empty()) {
        std::sort(names_.begin(), names_.end());
        for (const KeyEntry& name : names_) out_.add_key(name);
      } else {
        add_keys(band);
      }
      out_.end_band();
    }
    return out_.finish();
  }

 private:
  void check_cancelled() const {
    if (target_.cancel != nullptr && *target_.cancel) {
      throw Error(ErrorKind::cancelled, "interrupted");
    }
  }

  void add_items(const MergedRun& merged) {
    IndexRun& run = *merged.run;
    run.count_removed();
    bases_.push_back(out_.items());
    RunBuffer buffer;
    for (std::size_t block = 0; block < run.item_blocks(); ++block) {
      check_cancelled();
      run.for_each_of(block, buffer, [&](std::uint32_t number, const IndexItem& item) {
        if (!run.is_removed(number)) add_item(merged, item, run.filter(number, buffer));
      });
    }
  }

  void add_item(const MergedRun& merged, IndexItem item, std::string_view filter) {
    item.filter = filter;
    if (renumbers_) {
      item.number += merged.add_to_number;
      item.locator.file += merged.add_to_file;
      names_.push_back({name_key(item.name()), out_.items()});
    }
    out_.add_item(item);
  }

  void add_keys(std::size_t band) {
    check_cancelled();
    std::vector<KeyCursor> cursors;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      KeyCursor cursor(*runs_[i].run, bases_[i], band);
      if (!cursor.has_ended()) cursors.push_back(std::move(cursor));
    }
    while (!cursors.empty()) {
      const auto least =
          std::min_element(cursors.begin(), cursors.end(),
                           [](const auto& a, const auto& b) { return a.entry() < b.entry(); });
      out_.add_key(least->entry());
      least->next();
      if (least->has_ended()) {
        std::vector<KeyCursor> rest;
        for (KeyCursor& cursor : cursors) {
          if (!cursor.has_ended()) rest.push_back(std::move(cursor));
        }
        cursors.swap(rest);
      }
    }
  }

  std::span<const MergedRun> runs_;
  const MergeTarget& target_;
  bool renumbers_;
  IndexRunWriter out_;
  std::vector<std::uint32_t> bases_;
  std::vector<KeyEntry> names_;  // names of renumbered items
};

// Appends the items of `run` that were removed since it was merged, as items of the merged run;
// `base`: number of its first item there.
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

RunEntry merge_runs(std::span<const MergedRun> runs, const MergeTarget& target) {
  return Merge(runs, target).run();
}

std::size_t first_to_merge(std::span<const std::uint64_t> items) {
  if (items.empty()) return 0;
  std::size_t first = items.size() - 1;
  std::uint64_t total = items[first];
  while (first > 0 && (items[first - 1] < kGrowth * total || first + 1 > kMostRuns)) {
    total += items[--first];
  }
  return first;
}

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
