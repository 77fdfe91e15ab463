#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/thread_pool.h"
#include "join/sets/index_lookup.h"
#include "sosie/stored_index.h"
#include "store/index/index_view.h"
#include "store/index/index_writer.h"
#include "verbs/index/stored_rows.h"

namespace sosie {

// An item to be explained together with an indexed item: a row, or another indexed item.
struct ItemToExplain {
  std::optional<std::string_view> row;
  std::string id;  // if there is no row
};

// An open index: either the state of a single folder, which its only writer changes while others
// read it, or the states of several folders, which nobody changes. One derived class is for sets,
// which are looked up one by one, the other for all other kinds of items.
class StoredIndexState {
 public:
  StoredIndexState(const std::vector<std::string>& folders, bool read_only, const Options& run);
  StoredIndexState(const StoredIndexState&) = delete;
  StoredIndexState& operator=(const StoredIndexState&) = delete;
  // A merge calls describe() and forget(), so destructors of derived classes must first call
  // stop_merge().
  virtual ~StoredIndexState();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] bool is_read_only() const noexcept { return is_read_only_; }
  [[nodiscard]] StoredFacts facts() const;
  [[nodiscard]] virtual std::string value_name(const StoredQuery& query) const = 0;
  [[nodiscard]] virtual std::vector<std::vector<StoredHit>> query(const OpenIndexRows& rows,
                                                                  const StoredQuery& query,
                                                                  const RunHooks& hooks) const = 0;
  [[nodiscard]] virtual std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query, const RunHooks& hooks) const = 0;
  [[nodiscard]] virtual std::optional<double> list_recall(std::uint64_t /*top*/,
                                                          const RunHooks& /*hooks*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual std::string explain(const ItemToExplain& item, const std::string& id,
                                            const RunHooks& hooks) const = 0;
  virtual StoredAdded add(const OpenIndexRows& rows, const StoredAddRules& rules,
                          const RunHooks& hooks) = 0;
  virtual std::vector<StoredNew> add_new(const OpenIndexRows& rows, const RunHooks& hooks) = 0;
  std::uint64_t remove(std::span<const std::string> ids, const RunHooks& hooks);
  void compact();
  void close();

 protected:
  [[nodiscard]] const IndexView& index() const;
  [[nodiscard]] IndexWriter& writer();
  void note_facts();
  // The place of an item; the caller must be allowed to read index(). Throws Error{malformed_input}
  // if there is no such item.
  [[nodiscard]] ItemPlace place_of(const std::string& id, IndexBuffer& buffer) const;
  // Fills in the facts that depend on the kind of item.
  virtual void describe(StoredFacts& facts) const = 0;
  // Called after each change, before the next look-up.
  virtual void forget() {}
  // Calls make(writer). If that throws, the state on disk is unchanged.
  void change(const std::function<void(IndexWriter& writer)>& make);

  // Ends a running merge. The caller must hold writing_, unless no further calls can occur.
  void stop_merge();

  mutable ReadWriteLock lock_;  // held to read index(), exclusively to change it
  std::timed_mutex writing_;    // held by the call that changes the index

 private:
  void open_writer();
  void reopen_writer();
  void begin_merge();
  void merge_beside();
  void take_merge();

  std::string path_;
  bool is_read_only_;
  std::uint64_t memory_bytes_;
  std::optional<IndexWriter> writer_;
  std::optional<IndexView> index_;  // a view of writer_, if there is one
  // Merges runs in the background; changed by the holder of writing_.
  std::unique_ptr<BackgroundMerge> merge_;  // null: none is running
  std::thread merging_;
  std::atomic<bool> merge_ends_{false};
  std::size_t inspected_runs_ = 0;
  StoredFacts facts_;
};

// The state of existing indexes. Throws as StoredIndex::open() does.
[[nodiscard]] std::unique_ptr<StoredIndexState> stored_state(
    const std::vector<std::string>& folders, bool read_only, const Options& run,
    const RunHooks& hooks);
[[nodiscard]] std::unique_ptr<StoredIndexState> stored_items(
    const std::vector<std::string>& folders, bool read_only, const Options& run);
// StoredIndexState::explain() for the first and last rows of a run with these options.
[[nodiscard]] std::string explain_stored_items(const Options& options, const ItemToExplain& item,
                                               const std::string& id, const RunHooks& hooks);

// An open index of texts, sets or bags.
class StoredSets final : public StoredIndexState {
 public:
  StoredSets(const std::vector<std::string>& folders, bool read_only, const Options& run,
             const RunHooks& hooks);
  ~StoredSets() override { stop_merge(); }
  StoredSets(const StoredSets&) = delete;
  StoredSets& operator=(const StoredSets&) = delete;

  [[nodiscard]] std::string value_name(const StoredQuery& query) const override;
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(const OpenIndexRows& rows,
                                                          const StoredQuery& query,
                                                          const RunHooks& hooks) const override;
  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query,
      const RunHooks& hooks) const override;
  [[nodiscard]] std::string explain(const ItemToExplain& item, const std::string& id,
                                    const RunHooks& hooks) const override;
  StoredAdded add(const OpenIndexRows& rows, const StoredAddRules& rules,
                  const RunHooks& hooks) override;
  std::vector<StoredNew> add_new(const OpenIndexRows& rows, const RunHooks& hooks) override;

 private:
  // A row that will become an item.
  struct NewRow;
  // Options of look-ups, most of which equal the build options.
  struct Asked;

  void describe(StoredFacts& facts) const override;
  [[nodiscard]] Options options_for(const StoredQuery& query) const;
  [[nodiscard]] std::shared_ptr<const Asked> asked(const StoredQuery& query) const;
  [[nodiscard]] std::shared_lock<std::shared_mutex> reading_for(const Asked& asked) const;
  void find(const Asked& asked, StoredRowReader& reader) const;
  [[nodiscard]] static StoredHit shown(const IndexHit& hit, const Settings& settings);
  [[nodiscard]] std::vector<StoredHit> answers(const Asked& asked, const StoredQuery& query,
                                               const std::string& own,
                                               StoredRowReader& reader) const;
  [[nodiscard]] std::vector<NewRow> read_new(JsonRows rows, bool looks_up, const RunHooks& hooks);
  static void expect_other_ids(const std::vector<NewRow>& rows, bool only_added);
  template <class Use>
  void for_each(std::size_t count, const RunHooks& hooks, const Use& use) const;

  std::optional<StoredShape> shape_;
  mutable std::optional<StoredRowReaders> readers_;
  std::shared_ptr<const Asked> as_built_;
  // For an index that does not store its items, whose rows are reread.
  std::optional<Scratch> scratch_;
  std::optional<ExternalItems> files_;
};

}  // namespace sosie
