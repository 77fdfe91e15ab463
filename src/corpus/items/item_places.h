#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// Where the items of a run lie in their files, and which rows take no part: as scan() leaves it for
// texts, so that kept rows, --rejects, ids, --show and counts are made of it in the same way. With
// --against the rows of OTHER come first. Rows of one length cost no memory; others 16 bytes, and 8
// for an id.
//
// A bad row that is left out or passed through is a row like others: it has a number, and its item
// a slot (of zeros) in the column, so that rows of the corpus and of the column are the same.
// corpus.state(row) says that it takes no part, and VectorItems::left_out lists such rows.
struct ItemPlaces {
  std::unique_ptr<Scratch> scratch;
  Inputs inputs;
  Corpus corpus;
  bool may_lack_fields = false;  // set before reading: no row need have the fields of --show
};

// Numbers of items where some rows take no part, and have none.
class ItemNumbers {
 public:
  ItemNumbers() = default;
  // `left_out`: ascending.
  ItemNumbers(RowId rows, std::span<const RowId> left_out);

  [[nodiscard]] bool are_rows() const noexcept { return rows_.empty(); }
  [[nodiscard]] RowId row_of(RowId item) const noexcept { return are_rows() ? item : rows_[item]; }
  // Item of a row that takes part.
  [[nodiscard]] RowId item_of(RowId row) const noexcept;

 private:
  std::vector<RowId> rows_;  // empty: all rows are items
};

// Takes rows of `width` values out of a table.
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

// Fills in the corpus of some places, row by row.
class PlaceWriter {
 public:
  // Both outlive this.
  PlaceWriter(const Inputs& inputs, Corpus& corpus) : inputs_(inputs), corpus_(corpus) {}

  // Begins the next file: the rows that follow belong to it.
  void begin_file(std::uint32_t file);
  // Throws Error{limit_exceeded} for a row more than can be numbered.
  void add(const RowLocator& place, RowState state = RowState::normal);
  // A row that takes no part; `skips`: it is left out, else passed through.
  void add_bad(BadRow bad, bool skips);
  // Encoding fault, and length of the text, of the last row.
  void note_ill_formed(BadRow bad);
  void add_words(std::uint64_t count) { corpus_.facts.back().words += count; }
  void add_blank_line() { ++corpus_.facts.back().blank_lines; }

  // Block of the last row, for rows with ids and ranks.
  [[nodiscard]] ScannedBlock& block() { return corpus_.blocks.back(); }

 private:
  void begin_block(std::uint32_t file);
  void append_locator(const RowLocator& place);

  const Inputs& inputs_;
  Corpus& corpus_;
};

}  // namespace sosie
