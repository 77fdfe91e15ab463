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

// Rows for an index on disk. Each is a JSON object, as on a line of JSONL, with the item in the
// field StoredFacts::column and, if the row is to be added, its id in the field
// StoredFacts::id_field.
using JsonRows = std::span<const std::string_view>;

// Vectors or bit strings for an index on disk, as a file in memory. The extension names its format:
// ".npy", or ".txt" with a line of hexadecimal digits per row. If items have ids,
// MemoryFile::names() holds the ids of the added rows.
struct ArrayRows {
  std::shared_ptr<const MemoryFile> file;
  std::string extension;
  std::uint64_t rows = 0;
};

// An item of an index on disk that is similar to the row that was looked up.
struct StoredHit {
  std::string id;  // the number of the item if items have no ids
  bool id_is_integer = false;
  double value = 0;  // named by StoredIndex::value_name()
};

// Options of a look-up of one or more rows.
struct StoredQuery {
  std::uint64_t top = 0;      // maximum number of hits per row; 0: all
  bool exclude_self = false;  // leaves out the item with the row's id
  // Options of query() by name, such as a threshold above the index's.
  std::vector<std::pair<std::string, std::string>> options = {};
};

// Treatment of ids that already exist in add(), as in `sosie index add`.
struct StoredAddRules {
  bool replace = false;
  bool skip_existing = false;
};

struct StoredAdded {
  std::uint64_t added = 0;
  std::uint64_t skipped = 0;   // their ids existed
  std::uint64_t replaced = 0;  // items replaced by rows with their ids
};

// A row given to add_new(): it was added, or is similar to an item, or neither because it has no
// content.
struct StoredNew {
  bool is_added = false;
  std::optional<StoredHit> similar_to = {};
};

// State of an index, and the options it was built with.
struct StoredFacts {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::uint64_t runs = 0;
  std::uint64_t log_items = 0;    // items not yet in a run
  std::uint64_t next_number = 0;  // number of the next item
  bool keeps_items = true;
  std::string kind;      // kind of the items
  std::string column;    // field that holds the item
  std::string id_field;  // field that holds the id; empty: items have numbers only
  std::string value_name;
  int bands = 0;  // 0: exact
  int band_rows = 0;
  std::vector<std::pair<std::string, std::string>> options = {};  // names and values
};

class StoredIndexState;

// An open index on disk (sosie/index_folder.h), for rows in memory. Texts, sets and bags are looked
// up one by one. Other kinds are looked up together: a call reads either all items or the items
// that share a key with a row. The answers are the same as query() gives over the index's folder.
// All functions are thread-safe. Look-ups do not wait for add, remove or compact; of the changes
// made by such a call, they see either all or none. Calls that change the index return once the
// change would survive a power loss. Errors: as for index_folder() and query(); malformed_input
// with the place "row 3" (counted from 0) for an unreadable row, in which case nothing is added; io
// for all calls after close().
class StoredIndex {
 public:
  // Creates a folder, as `sosie index build FOLDER` does from a file with these rows. If there are
  // no rows, ids are expected in the field "id" unless options.id names another field.
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options,
                                          JsonRows rows = {}, const RunHooks& hooks = {});
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options,
                                          const ArrayRows& rows, const RunHooks& hooks = {});
  // Opens an existing index. Unless `read_only`, this process is its only writer until close().
  // Uses the threads, memory and scratch of `options`.
  [[nodiscard]] static StoredIndex open(const std::string& folder, bool read_only = false,
                                        const Options& options = {}, const RunHooks& hooks = {});
  // Opens several indexes with the same build options as a single index, whose items are in the
  // order of the folders. More than one folder can be opened for reading only. Throws
  // Error{invalid_option} if two of them have different options or are the same index (the message
  // names both), or if no folder is given.
  [[nodiscard]] static StoredIndex open(const std::vector<std::string>& folders,
                                        bool read_only = false, const Options& options = {},
                                        const RunHooks& hooks = {});
  StoredIndex(const StoredIndex&) = delete;
  StoredIndex& operator=(const StoredIndex&) = delete;
  StoredIndex(StoredIndex&& other) noexcept;
  StoredIndex& operator=(StoredIndex&& other) noexcept;
  ~StoredIndex();

  // Path of the folder; several are separated by commas.
  [[nodiscard]] const std::string& folder() const noexcept;
  [[nodiscard]] bool is_read_only() const noexcept;
  [[nodiscard]] StoredFacts facts() const;
  // Name of the values that this query returns: "distance" if its bound (by default, the index's
  // bound) is a distance, otherwise "similarity".
  [[nodiscard]] std::string value_name(const StoredQuery& query) const;

  // Items similar to each row, best first (ties: in the order of addition).
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(JsonRows rows,
                                                          const StoredQuery& query = {},
                                                          const RunHooks& hooks = {}) const;
  [[nodiscard]] std::vector<std::vector<StoredHit>> query(const ArrayRows& rows,
                                                          const StoredQuery& query = {},
                                                          const RunHooks& hooks = {}) const;
  // Items similar to each of these items; empty for an unknown id.
  [[nodiscard]] std::vector<std::optional<std::vector<StoredHit>>> query_ids(
      std::span<const std::string> ids, const StoredQuery& query = {},
      const RunHooks& hooks = {}) const;
  // Index::list_recall() for look-ups in this index; arranges the items for such look-ups.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top,
                                                  const RunHooks& hooks = {}) const;
  // Explains, as explain() does, why an item of the index is or is not similar to a row. As an
  // index of texts or sets stores only hashes, only the row's own words are shown. Throws
  // Error{malformed_input} for an unknown id.
  [[nodiscard]] std::string explain(std::string_view row, const std::string& id,
                                    const RunHooks& hooks = {}) const;
  // Explains why two items of the index are or are not similar.
  [[nodiscard]] std::string explain_ids(const std::string& asked, const std::string& id,
                                        const RunHooks& hooks = {}) const;
  // Adds rows. Throws Error{malformed_input} for an existing id unless the rules allow it.
  StoredAdded add(JsonRows rows, const StoredAddRules& rules = {}, const RunHooks& hooks = {});
  StoredAdded add(const ArrayRows& rows, const StoredAddRules& rules = {},
                  const RunHooks& hooks = {});
  // Adds rows one by one, except rows similar to an item that is already in the index, as `sosie
  // dedup ROWS --against FOLDER --add` does.
  std::vector<StoredNew> add_new(JsonRows rows, const RunHooks& hooks = {});
  std::vector<StoredNew> add_new(const ArrayRows& rows, const RunHooks& hooks = {});
  // Removes items; returns the number removed.
  std::uint64_t remove(std::span<const std::string> ids, const RunHooks& hooks = {});
  void compact();
  // Closes the folder; other processes may then write to it.
  void close();

 private:
  explicit StoredIndex(std::unique_ptr<StoredIndexState> state);

  std::unique_ptr<StoredIndexState> state_;
};

}  // namespace sosie
