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

// The only writer of an index. It collects the additions and removals of a call, and commit() makes
// all of them durable at once; without commit(), none takes effect. Small changes go to the log;
// larger changes, and a full log, become a run. If there are too many runs, they are merged.
class IndexWriter {
 public:
  struct Limits {
    std::uint64_t memory_bytes = 0;
    const std::atomic<bool>* cancel = nullptr;
    // Locked for writing, briefly, while folder() changes, because others may be reading it; null
    // if there are no other readers.
    ReadWriteLock* readers = nullptr;
    bool merges_later = false;  // commit() leaves merges to begin_merge() while it can
    // Folder for spilled keys, and the maximum size there; empty: the index's own folder.
    std::string scratch = {};
    std::uint64_t scratch_limit_bytes = ~std::uint64_t{0};
    unsigned threads = 1;  // for sorting the keys of a new run
  };

  // Opens an index. Throws as IndexFolder does; Error{io} if another writer has it open.
  IndexWriter(const std::string& path, const Limits& limits);
  // Begins an index in a folder that does not exist, is empty, or contains only what a killed build
  // left behind. For any other folder, throws Error{invalid_option} before anything is written. The
  // index exists once commit() returns.
  IndexWriter(const std::string& path, IndexManifest manifest, const Limits& limits);
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  // The state before the changes, except that removals take effect immediately.
  [[nodiscard]] const IndexFolder& folder() const noexcept { return folder_; }

  // Adds an item (pack_item()), with a number after all others.
  void add(std::string bytes, std::span<const std::uint64_t> keys);
  // Adds several items in order.
  void add(NewItems& items);
  // Removes an item of folder(); returns false if it was already removed.
  bool remove(const ItemPlace& place);
  // Sets the number of components or bits of the items, if it was not set before.
  void set_dimension(std::uint64_t dimension);
  // Sets the number of bits that fingerprints were declared to have, if there was none before.
  void set_declared_bits(std::uint64_t bits);
  // Adds files of later items; only if items are not kept. Returns the number of the first one.
  std::uint32_t add_files(const std::vector<SketchedFile>& files);

  // Makes everything durable. `next_number`: number of the next item.
  void commit(std::uint64_t next_number);
  // Merges everything into one run without removed items; after commit().
  void compact();
  // With Limits::merges_later: a merge that is due and can run while further changes are made; null
  // if there is none.
  [[nodiscard]] std::unique_ptr<BackgroundMerge> begin_merge();
  // Called after the merge's run(): durably puts the merged run in place. If the runs have been
  // merged in another way meanwhile, only deletes the file.
  void end_merge(const BackgroundMerge& merge);
  // Adds all items of other indexes in order; used in place of add(). Returns the number of the
  // next item.
  std::uint64_t add_all(std::span<const std::unique_ptr<IndexFolder>> others);

 private:
  // Throws Error{limit_exceeded} if the index would have more items than can be numbered.
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
  std::vector<std::uint32_t> moved_;      // by item of the log: its position in the first new run
  std::vector<std::uint64_t> made_runs_;  // files that are deleted unless commit() lists them
  std::uint64_t made_log_ = 0;
};

}  // namespace sosie
