#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/join.h"
#include "sosie/memory_file.h"

namespace sosie {

// Rows for an index on disk, each a JSON object as a line of JSONL has it: the item in the field
// StoredFacts::column and, where rows are added, its name in the field StoredFacts::id_field.
using JsonRows = std::span<const std::string_view>;

// Vectors or bit strings for an index on disk, as a file in memory whose format its extension says:
// ".npy", or ".txt" with a line of hexadecimal digits each. Rows that are added are named by
// MemoryFile::names() where the items have names.
struct ArrayRows {
  std::shared_ptr<const MemoryFile> file;
  std::string extension;
  std::uint64_t rows = 0;
};

// An item of an index on disk that is similar to what was looked up.
struct StoredHit {
  std::string id;  // its number, where items are named by these
  bool id_is_integer = false;
  double value = 0;  // named by StoredIndex::value_name()
};

// One look-up, or many.
struct StoredQuery {
  std::uint64_t top = 0;      // so many hits of each row at most; 0: all
  bool exclude_self = false;  // rows with ids: without the item that has the row's id
  // Options of query() by name, such as a threshold above that of the index.
  std::vector<std::pair<std::string, std::string>> options = {};
};

// Reaction of add() to ids that are there already, as in `sosie index add`.
struct StoredAddRules {
  bool replace = false;
  bool skip_existing = false;
};

struct StoredAdded {
  std::uint64_t added = 0;
  std::uint64_t skipped = 0;   // their ids were there
  std::uint64_t replaced = 0;  // items in whose place others came
};

// A row of add_new(): added, or similar to an item, or without content and neither.
struct StoredNew {
  bool is_added = false;
  std::optional<StoredHit> similar_to = {};
};

// State of an index, and the options that it was built with.
struct StoredFacts {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::uint64_t runs = 0;
  std::uint64_t log_items = 0;    // items that only the log has yet
  std::uint64_t next_number = 0;  // number of the next item
  bool keeps_items = true;
  std::string kind;      // kind of the items
  std::string column;    // field that holds the item
  std::string id_field;  // field that names it; empty: its number does
  std::string value_name;
  int bands = 0;  // 0: exact
  int band_rows = 0;
  std::vector<std::pair<std::string, std::string>> options = {};  // names and values
};

class StoredIndexState;

// An index on disk (sosie/index_folder.h) that stays open, for rows in memory. Texts, sets and bags
// are looked up one by one. The other kinds are looked up together: a call reads all items, or the
// ones that share a key with a row.
// Answers equal the ones that query() gives over its folder. All functions may be called from
// several threads at once; look-ups wait for no add, remove or compact, and see all of such a call
// or nothing of its additions. What changes the index returns when it survives a loss of power.
// Errors: as index_folder() and query(); malformed_input with the place "row 3" for a row (counted
// from 0) that cannot be read: then nothing is added; io for all calls behind close().
class StoredIndex {
 public:
  // Makes a folder, as `sosie index build FOLDER` does of a file of these rows. Without rows items
  // are named by the field "id" unless options.id says otherwise.
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options,
                                          JsonRows rows = {}, const RunHooks& hooks = {});
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options,
                                          const ArrayRows& rows, const RunHooks& hooks = {});
  // Opens one that is there; without `read_only` as its one writer, until close(). Of `options`
  // threads, memory and scratch matter.
  [[nodiscard]] static StoredIndex open(const std::string& folder, bool read_only = false,
                                        const Options& options = {}, const RunHooks& hooks = {});
  // Opens indexes that were built alike as one, with the items of the first, then of the second,
  // and so on; several only for reading. Throws Error{invalid_option} that names both
  // where two were built differently or are one index, and where none is named.
  [[nodiscard]] static StoredIndex open(const std::vector<std::string>& folders,
                                        bool read_only = false, const Options& options = {},
                                        const RunHooks& hooks = {});
  StoredIndex(const StoredIndex&) = delete;
  StoredIndex& operator=(const StoredIndex&) = delete;
  StoredIndex(StoredIndex&& other) noexcept;
  StoredIndex& operator=(StoredIndex&& other) noexcept;
  ~StoredIndex();

  // Several: their paths with a comma between.
  [[nodiscard]] const std::string& folder() const noexcept;
  [[nodiscard]] bool is_read_only() const noexcept;
  [[nodiscard]] StoredFacts facts() const;
  // Name of the values of what such a look-up finds: "distance" where its bound, or that of the
  // index if it has none, is a distance; else "similarity".
  [[nodiscard]] std::string value_name(const StoredQuery& query) const;

  // The similar items of each row, best first (ties: in the order of addition).
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(JsonRows rows,
                                                          const StoredQuery& query = {},
                                                          const RunHooks& hooks = {}) const;
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(const ArrayRows& rows,
                                                          const StoredQuery& query = {},
                                                          const RunHooks& hooks = {}) const;
  // The items similar to each of these items; nothing in place of one that is not there.
  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query = {},
      const RunHooks& hooks = {}) const;
  // Index::list_recall() of look-ups, for which the items are laid out.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top,
                                                  const RunHooks& hooks = {}) const;
  // Why an item of the index is similar to a row, or not: text as explain() makes it. An index of
  // texts or sets keeps these as hashes, so that only the row's own words are shown. Throws
  // Error{malformed_input} for an id that is not there.
  [[nodiscard]] std::string explain(std::string_view row, const std::string& id,
                                    const RunHooks& hooks = {}) const;
  // Why two items of the index are similar, or not.
  [[nodiscard]] std::string explain_ids(const std::string& asked, const std::string& id,
                                        const RunHooks& hooks = {}) const;
  // Throws Error{malformed_input} for an id that is there already unless the rules say otherwise.
  StoredAdded add(JsonRows rows, const StoredAddRules& rules = {}, const RunHooks& hooks = {});
  StoredAdded add(const ArrayRows& rows, const StoredAddRules& rules = {},
                  const RunHooks& hooks = {});
  // Adds, row after row, what is similar to nothing that is there by then, as
  // `sosie dedup ROWS --against FOLDER --add` does.
  std::vector<StoredNew> add_new(JsonRows rows, const RunHooks& hooks = {});
  std::vector<StoredNew> add_new(const ArrayRows& rows, const RunHooks& hooks = {});
  // Returns how many items were there.
  std::uint64_t remove(std::span<const std::string> ids, const RunHooks& hooks = {});
  void compact();
  // Lets go of the folder; others may write then.
  void close();

 private:
  explicit StoredIndex(std::unique_ptr<StoredIndexState> state);

  std::unique_ptr<StoredIndexState> state_;
};

}  // namespace sosie
