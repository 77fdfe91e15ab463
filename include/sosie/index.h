#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/item_array.h"
#include "sosie/join.h"
#include "sosie/stored_index.h"

namespace sosie {

// Rows for an index: a table in memory, an array (of vectors or bit strings), or files.
struct IndexRows {
  std::shared_ptr<const Table> table;
  std::vector<std::string> paths;
  std::optional<ItemArray> array = {};
  MemoryFiles memory_files = {};  // contents of some of these paths
};

class IndexState;

// Items of any kind in memory, for rows that arrive over time. Items are numbered from 0 in the
// order in which they are added; the numbers of removed items are not used again. All results are
// verified.
// Texts, sets and bags: over all seeds, a pair exactly at the threshold is found with probability
// options.recall (MMDS 3.4: banding of MinHash signatures). Memory per item: 8 bytes per shingle,
// at most 24 per band and 1 per component.
// Vectors, bit strings and strings: every pair is found, in a single pass over the items. Memory in
// addition to the items: a byte per component for vectors; as much again for bit strings; about 150
// bytes per string and six per character for strings.
// Vectors without a bound and with options.method "lsh": look-ups in lists around centers (an
// inverted file) find a share options.recall of the nearest items (up to 100). The number of lists
// to search is calibrated on items whose nearest neighbours are known, so it also depends on how
// the items were batched.
// All functions are thread-safe and throw Error as pairs() does.
class Index {
 public:
  // `options` determines how all rows are read and compared: kind, column, shingles, measure,
  // threshold or bound, recall, bands, seed, threads and memory. Without a bound, vectors, bit
  // strings and strings can only be looked up by `top`. Also throws Error{invalid_option} for a
  // method that does not support the kind.
  explicit Index(const Options& options);
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  Index(Index&& other) noexcept;
  ~Index();

  // An index on disk, which outlives the process (sosie/stored_index.h).
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options) {
    return StoredIndex::create(folder, options);
  }
  [[nodiscard]] static StoredIndex open(const std::string& folder, bool read_only = false) {
    return StoredIndex::open(folder, read_only);
  }

  // Number of items.
  [[nodiscard]] std::uint64_t size() const;
  // The number that the next added item will get.
  [[nodiscard]] std::uint64_t next_number() const;
  // Name of the values that query() returns: "similarity" or "distance".
  [[nodiscard]] std::string value_name() const;

  // Adds all rows and returns the range of their numbers, [first, second). If a row is bad, adds
  // nothing and throws Error{malformed_input}.
  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows, const RunHooks& hooks = {});
  // Adds the rows one by one, except rows similar to an item that is already in the index. Returns,
  // for each row, whether it was added.
  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks = {});
  // Items similar to each row (left: the row, right: the item's number), grouped by row, best first
  // (ties: by number). `top`: maximum number of items per row; 0: all.
  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top = 0,
                               const RunHooks& hooks = {}) const;
  // Recall of looking up the `top` nearest items in lists (vectors without a bound, method lsh),
  // measured with items that were held out. Empty if look-ups search every list.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top) const;
  // Removes the items with these numbers, ignoring unknown numbers. Returns how many items were
  // removed.
  std::uint64_t remove(std::span<const std::uint64_t> numbers);

  // Serializes the options and the items for load(), with a checksum. The bytes are the same on
  // every machine.
  [[nodiscard]] std::string save() const;
  // Restores an index from the bytes of save(). Throws Error{malformed_input} for any other bytes.
  [[nodiscard]] static Index load(std::string_view bytes);

 private:
  explicit Index(std::unique_ptr<IndexState> state);

  std::unique_ptr<IndexState> state_;
};

}  // namespace sosie
