#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/read_write_lock.h"
#include "join/indexed_rows.h"
#include "sosie/stored_index.h"
#include "store/index_writer.h"
#include "verbs/stored_rows.h"

namespace sosie {

// An open index: one state of its folder, which the one writer changes while others read it.
class StoredIndexState {
 public:
  StoredIndexState(const std::string& folder, bool read_only, const Options& run,
                   const RunHooks& hooks);
  ~StoredIndexState();
  StoredIndexState(const StoredIndexState&) = delete;
  StoredIndexState& operator=(const StoredIndexState&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_read_only() const noexcept { return is_read_only_; }
  [[nodiscard]] StoredFacts facts() const;
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(JsonRows rows, const StoredQuery& query,
                                                          const RunHooks& hooks) const;
  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query, const RunHooks& hooks) const;
  StoredAdded add(JsonRows rows, const StoredAddRules& rules, const RunHooks& hooks);
  std::vector<StoredNew> add_new(JsonRows rows, const RunHooks& hooks);
  std::uint64_t remove(std::span<const std::string> ids, const RunHooks& hooks);
  void compact();
  void close();

 private:
  // A row that is about to become an item.
  struct NewRow;
  // Options of look-ups: mostly the same as for building the index.
  struct Asked;

  [[nodiscard]] const IndexFolder& folder() const;
  [[nodiscard]] IndexWriter& writer();
  void open_writer();
  void reopen_writer();
  void begin_merge();
  void merge_beside();
  void take_merge();
  void stop_merge();
  void note_facts();
  [[nodiscard]] std::shared_ptr<const Asked> asked(const StoredQuery& query) const;
  void find(const Asked& asked, StoredRowReader& reader) const;
  [[nodiscard]] static StoredHit shown(const IndexHit& hit, const Settings& settings);
  [[nodiscard]] std::vector<StoredHit> answers(const Asked& asked, const StoredQuery& query,
                                               const std::string& own,
                                               StoredRowReader& reader) const;
  [[nodiscard]] std::vector<NewRow> read_new(JsonRows rows, bool looks_up, const RunHooks& hooks);
  static void expect_other_ids(const std::vector<NewRow>& rows, bool only_added);
  template <class Change>
  void change(const Change& make);
  template <class Use>
  void for_each(std::size_t count, const RunHooks& hooks, const Use& use) const;

  std::string path_;
  bool is_read_only_;
  std::uint64_t memory_bytes_;
  mutable ReadWriteLock lock_;  // held for reading folder(), alone for changing it
  std::timed_mutex writing_;    // held by the call that changes the index
  std::optional<IndexFolder> reader_;
  std::optional<IndexWriter> writer_;
  // Merges runs beside the calls; changed by who holds writing_.
  std::unique_ptr<BackgroundMerge> merge_;  // null: none goes on
  std::thread merging_;
  std::atomic<bool> merge_ends_{false};
  std::size_t runs_looked_at_ = 0;
  StoredFacts facts_;
  std::optional<StoredShape> shape_;
  mutable std::optional<StoredRowReaders> readers_;
  std::shared_ptr<const Asked> as_built_;
  // For an index without kept items, whose rows are read again.
  std::optional<Scratch> scratch_;
  std::optional<IndexedRows> files_;
};

}  // namespace sosie
