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
// order of addition; numbers are not reused. All results are verified.
//
// Texts, sets and bags: a pair at the threshold is found with probability options.recall over seeds
// (MMDS 3.4: banding of MinHash signatures). Memory: 8 bytes per shingle, and at most 24 per band
// and 1 per component of each item.
//
// Vectors, bit strings and strings: every pair is found, in one pass over the items. Memory beyond
// the items: a byte per component; for bits, their size again; for strings, about 150 bytes each
// and six per character.
//
// Vectors without a bound and with options.method "lsh": a share options.recall of the nearest (up
// to 100) is found, in lists around centers (an inverted file). The number of lists searched is
// measured with items whose nearest ones are known, so it also depends on how items were batched.
//
// All functions are thread-safe. They throw Error as pairs() does.
class Index {
 public:
  // Fixes the options for all rows: kind, column, shingles, measure, threshold or bound, recall,
  // bands, seed, threads, memory. Without a bound, vectors, bit strings and strings are looked up
  // by `top` only. Throws Error{invalid_option} also for a method that does not support the kind.
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
  // Number of the next item to be added.
  [[nodiscard]] std::uint64_t next_number() const;
  // Name of the values of query(): "similarity" or "distance".
  [[nodiscard]] std::string value_name() const;

  // Adds all rows. Returns the range of their numbers, [first, second). Throws
  // Error{malformed_input} for a bad row; then nothing is added.
  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows, const RunHooks& hooks = {});
  // Adds rows one by one, skipping each row similar to an item in the index. Returns by row whether
  // it was added.
  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks = {});
  // Items similar to each row: left is the row, right the number of an item, grouped by row, best
  // first (ties: by number). `top`: maximum per row; 0: all.
  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top = 0,
                               const RunHooks& hooks = {}) const;
  // Recall of looking up the `top` nearest items in lists (vectors without a bound, method lsh),
  // measured with held-back items. Empty if lists skip no item.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top) const;
  // Removes items and ignores unknown numbers. Returns the number of removed items.
  std::uint64_t remove(std::span<const std::uint64_t> numbers);

  // Options and items for load(), with a checksum; the same bytes on every machine.
  [[nodiscard]] std::string save() const;
  // Throws Error{malformed_input} for bytes not made by save().
  [[nodiscard]] static Index load(std::string_view bytes);

 private:
  explicit Index(std::unique_ptr<IndexState> state);

  std::unique_ptr<IndexState> state_;
};

}  // namespace sosie
