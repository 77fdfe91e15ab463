#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "io/folder.h"
#include "io/scratch.h"
#include "store/index/index_folder.h"
#include "store/index/index_log.h"
#include "store/index/index_run_writer.h"
#include "store/index/merge_runs.h"

namespace sosie {

// The one writer of an index: collects what a call adds and removes, and makes all of it durable at
// once with commit(). Without that nothing of it is there. Small changes go to the log; larger
// ones, and a log that is full, become a run, and runs are merged where they are too many.
class IndexWriter {
 public:
  struct Limits {
    std::uint64_t memory_bytes = 0;
    const std::atomic<bool>* cancel = nullptr;
    // Held for writing, for a moment, where folder() changes: others may read it. null: none do.
    ReadWriteLock* readers = nullptr;
    bool merges_later = false;  // commit() leaves merges to begin_merge(), as long as it can
    // Folder for keys that are put aside, and the most that may lie there; empty: the index's own.
    std::string scratch = {};
    std::uint64_t scratch_limit_bytes = ~std::uint64_t{0};
    unsigned threads = 1;  // that sort the keys of a new run
  };

  // Opens an index. Throws as IndexFolder does; Error{io} when another writer is at work.
  IndexWriter(const std::string& path, const Limits& limits);
  // Begins a new one, in a folder that is new, empty, or what a build that was killed has left.
  // Throws Error{invalid_option} for other folders, before anything is written. It is there with
  // commit().
  IndexWriter(const std::string& path, IndexManifest manifest, const Limits& limits);
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  // State before the changes; removals show.
  [[nodiscard]] const IndexFolder& folder() const noexcept { return folder_; }

  // Adds an item (pack_item()), behind all others in the order of numbers.
  void add(std::string bytes, std::span<const std::uint64_t> keys);
  // Adds several, behind one another.
  void add(NewItems& items);
  // Removes an item of folder(); false if it was removed before.
  bool remove(const ItemPlace& place);
  // Components or bits of the items, of which there were none.
  void set_dimension(std::uint64_t dimension);
  // Files that items to come lie in; only without kept items. Returns the number of the first.
  std::uint32_t add_files(const std::vector<SketchedFile>& files);

  // Makes everything durable. `next_number`: of the next item to come.
  void commit(std::uint64_t next_number);
  // Merges all that is there into one run without removed items, behind commit().
  void compact();
  // With Limits::merges_later: a merge that is due, to be run beside further changes; null: none.
  [[nodiscard]] std::unique_ptr<BackgroundMerge> begin_merge();
  // Behind its run(): puts the merged run in its place, durably. Without effect, but for the file
  // that goes, if the runs have been merged otherwise.
  void end_merge(const BackgroundMerge& merge);
  // Adds all items of other indexes, behind one another, in place of add(). Returns the number of
  // the next item to come.
  std::uint64_t add_all(std::span<const std::unique_ptr<IndexFolder>> others);

 private:
  // Throws Error{limit_exceeded} when the index would hold more than can be numbered.
  void count_added(std::uint64_t items);
  [[nodiscard]] bool fits_log() const;
  [[nodiscard]] std::unique_ptr<IndexRunBuilder> run_builder(std::uint64_t number);
  void open_run();
  [[nodiscard]] std::unique_ptr<IndexRun> run_of_log(const IndexFolder& other);
  void spill();
  void end_run();
  void flush(bool merges_all);
  void replace_state(std::vector<RunEntry> runs, std::uint64_t next_number, bool keeps_log);
  [[nodiscard]] std::vector<RunEntry> all_runs() const;
  void merge_from(std::size_t first, std::vector<RunEntry>& runs);
  [[nodiscard]] std::uint64_t new_file();
  void remove_file(std::string_view kind, std::uint64_t number) const;
  [[nodiscard]] std::unique_lock<std::shared_mutex> without_readers() const;

  ClaimedFolder claim_;
  IndexFolder folder_;
  Limits limits_;
  Scratch scratch_;
  bool is_new_ = false;
  bool is_flushing_ = false;  // the change is too large for the log
  IndexRecord pending_;
  std::uint64_t pending_bytes_ = 0;
  std::uint64_t added_ = 0;  // items since the last commit()
  std::unique_ptr<IndexRunBuilder> builder_;
  std::vector<RunEntry> new_runs_;
  std::vector<std::uint32_t> moved_;      // by item of the log: its place in the first new run
  std::vector<std::uint64_t> made_runs_;  // files that go unless commit() names them
  std::uint64_t made_log_ = 0;
};

}  // namespace sosie
