#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// The positions of a run's items in their files, and the rows that take no part. This is the same
// data that scan() produces for texts, so kept rows, --rejects, ids, --show and counts are handled
// alike. With --against, the rows of OTHER come first. Rows of constant length take no memory;
// other rows take 16 bytes, and 8 for an id.
// A bad row that is left out or passed through is still a row: it has a number, and its item has a
// slot (of zeros) in the column, so that the corpus and the column number rows alike.
// corpus.state(row) marks the row as taking no part, and VectorItems::left_out lists it.
struct ItemPlaces {
  std::unique_ptr<Scratch> scratch;
  Inputs inputs;
  Corpus corpus;
};

// Numbers the items if some rows take no part and therefore have no item.
class ItemNumbers {
 public:
  ItemNumbers() = default;
  // `left_out`: ascending.
  ItemNumbers(RowId rows, std::span<const RowId> left_out);

  [[nodiscard]] bool are_rows() const noexcept { return rows_.empty(); }
  [[nodiscard]] RowId row_of(RowId item) const noexcept { return are_rows() ? item : rows_[item]; }
  // The item of a row, which must take part.
  [[nodiscard]] RowId item_of(RowId row) const noexcept;

 private:
  std::vector<RowId> rows_;  // empty: all rows are items
};

// Removes rows, each of `width` values, from a table.
template <typename T>
void erase_rows(std::vector<T>& table, std::size_t width, std::span<const RowId> rows) {
  if (rows.empty()) return;
  auto to = table.begin() + static_cast<std::ptrdiff_t>(rows.front() * width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t begin = (std::size_t{rows[i]} + 1) * width;
    const std::size_t end = i + 1 < rows.size() ? rows[i + 1] * width : table.size();
    to = std::move(table.begin() + static_cast<std::ptrdiff_t>(begin),
                   table.begin() + static_cast<std::ptrdiff_t>(end), to);
  }
  table.erase(to, table.end());
}

// Fills in the corpus of ItemPlaces, row by row.
class PlaceWriter {
 public:
  // Both arguments must outlive this object.
  PlaceWriter(const Inputs& inputs, Corpus& corpus) : inputs_(inputs), corpus_(corpus) {}

  // Begins the next file; the rows that follow belong to it.
  void begin_file(std::uint32_t file);
  // Throws Error{limit_exceeded} if there are more rows than can be numbered.
  void add(const RowLocator& place, RowState state = RowState::normal);
  // Adds a row that takes no part. `skips`: the row is left out; otherwise it is passed through.
  void add_bad(BadRow bad, bool skips);
  // For the last row: its encoding fault, and the length of its text.
  void note_ill_formed(BadRow bad);
  void add_words(std::uint64_t count) { corpus_.facts.back().words += count; }
  void add_blank_line() { ++corpus_.facts.back().blank_lines; }

  // The block that contains the last row, for rows with ids and ranks.
  [[nodiscard]] ScannedBlock& block() { return corpus_.blocks.back(); }

 private:
  void begin_block(std::uint32_t file);
  void append_locator(const RowLocator& place);

  const Inputs& inputs_;
  Corpus& corpus_;
};

}  // namespace sosie
