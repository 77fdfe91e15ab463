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
  MemoryFiles memory_files = {};  // some of these paths may be theirs
};

class IndexState;

// Items of any kind in memory, for rows that come little by little. Items are numbered from 0 in
// the order in which they are added; a number is not used again. What is found is verified. Texts,
// sets and bags: a pair at the threshold is found with probability options.recall over seeds (MMDS
// 3.4: banding of MinHash signatures); 8 bytes a shingle, at most 24 a band and 1 a component of
// each item. Vectors, bit strings and strings: every pair is found, in one pass over the items; a
// byte a component beside what was added, as much again as the bits, or of strings some 150 bytes
// each and six a character. Vectors without a bound and with
// options.method "lsh": the part options.recall of the nearest (up to 100) is found, in lists
// around centers (an inverted file); how many lists is measured with items whose own nearest ones
// are known, so that it also depends on how items were batched. All functions may be called from
// several threads at once. They throw Error as pairs() does.
class Index {
 public:
  // Options that are fixed here, whatever the rows hold: kind, column, shingles, measure, threshold
  // or bound, recall, bands, seed, threads, memory. Without a bound vectors, bit strings and
  // strings are looked up by `top` alone. Throws Error{invalid_option} also for a method that is
  // not for the kind.
  explicit Index(const Options& options);
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  Index(Index&& other) noexcept;
  ~Index();

  // An index with a folder, which outlives the process (sosie/stored_index.h).
  [[nodiscard]] static StoredIndex create(const std::string& folder, const Options& options) {
    return StoredIndex::create(folder, options);
  }
  [[nodiscard]] static StoredIndex open(const std::string& folder, bool read_only = false) {
    return StoredIndex::open(folder, read_only);
  }

  // Items that are there.
  [[nodiscard]] std::uint64_t size() const;
  // The number that the next item will get.
  [[nodiscard]] std::uint64_t next_number() const;
  // "similarity" or "distance": what query() tells.
  [[nodiscard]] std::string value_name() const;

  // Adds all rows. Returns their numbers, from the first one to one behind the last. Throws
  // Error{malformed_input} for a bad row; then nothing is added.
  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows, const RunHooks& hooks = {});
  // Adds, row after row, what is similar to nothing that is there by then. Returns which were.
  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks = {});
  // The items similar to each row: left is the row, right an item's number, grouped by row, best
  // first (ties: by number). `top`: so many of each row at most; 0: all.
  [[nodiscard]] RowPairs query(const IndexRows& rows, std::uint64_t top = 0,
                               const RunHooks& hooks = {}) const;
  // Recall of looking up the `top` nearest items in lists (vectors without a bound, by method lsh):
  // as it was measured with items that were held back. Nothing where no item is left out by lists.
  [[nodiscard]] std::optional<double> list_recall(std::uint64_t top) const;
  // Takes items out; numbers of what is not there are passed over. Returns how many were there.
  std::uint64_t remove(std::span<const std::uint64_t> numbers);

  // Options and items, for load(): with a checksum, the same bytes on every machine.
  [[nodiscard]] std::string save() const;
  // Throws Error{malformed_input} for bytes that save() did not make.
  [[nodiscard]] static Index load(std::string_view bytes);

 private:
  explicit Index(std::unique_ptr<IndexState> state);

  std::unique_ptr<IndexState> state_;
};

}  // namespace sosie
