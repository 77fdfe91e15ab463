#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// Rows for an index: a table in memory, or files.
struct IndexRows {
  std::shared_ptr<const Table> table;
  std::vector<std::string> paths;
};

// Texts, sets or bags in memory, for rows that come little by little. Items are numbered from 0 in
// the order in which they are added; a number is not used again. What is found is verified; a pair
// at the threshold is found with probability options.recall over seeds (MMDS 3.4: banding of
// MinHash signatures). It takes 8 bytes a shingle, at most 24 a
// band and 1 a component of each item. All
// functions may be called from several threads at once. They throw Error as pairs() does.
class Index {
 public:
  // What is decided here and not by the rows: kind, column, shingles, measure, threshold, recall,
  // bands, seed, threads, memory. Throws Error{invalid_option} also for a measure that has no lsh.
  explicit Index(const Options& options);
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;
  ~Index();

  // Items that are there.
  [[nodiscard]] std::uint64_t size() const;
  // The number that the next item will get.
  [[nodiscard]] std::uint64_t next_number() const;

  // Adds all rows. Returns their numbers, from the first one to one behind the last.
  std::pair<std::uint64_t, std::uint64_t> add(const IndexRows& rows, const RunHooks& hooks = {});
  // Adds, row after row, what is similar to nothing that is there by then. Returns which were.
  std::vector<bool> add_new(const IndexRows& rows, const RunHooks& hooks = {});
  // The items similar to each row: left is the row, right an item's number, those of a row
  // together, best first (ties: by number).
  [[nodiscard]] RowPairs query(const IndexRows& rows, const RunHooks& hooks = {}) const;
  // Takes items out; numbers of what is not there are passed over. Returns how many were there.
  std::uint64_t remove(std::span<const std::uint64_t> numbers);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace sosie
