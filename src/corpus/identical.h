#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "corpus/rows/row_reader.h"
#include "data/buckets.h"
#include "data/padded_bytes.h"
#include "options/settings.h"
#include "represent/text_shingler.h"
#include "sosie/join.h"

namespace sosie {

// The documents that take part in matching, in rank order: of all documents with the same
// normalised text, only one. A place is a position in `rows`.
struct Items {
  std::vector<RowId> rows;  // by place: the best-ranked row of its group
  std::vector<Place>
      place_of;               // by row: the place of its group; kNoPlace for rows that take no part
  std::vector<RowId> copies;  // rows with the same text as rows[p]: copies[copy_starts[p] ..
  std::vector<std::uint64_t> copy_starts;  // copy_starts[p + 1]), in rank order, rows[p] left out
  std::vector<RowId> copies_outside;       // by place; empty: none
  Place fixed = 0;                         // places before it are items of --against
  std::vector<Place> twins;  // with --against, by place: the item of OTHER with the same text

  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(rows.size()); }
  [[nodiscard]] std::span<const RowId> copies_of(Place p) const noexcept {
    return {copies.data() + copy_starts[p], copies.data() + copy_starts[p + 1]};
  }
  // Number of rows that have the text of this item, including rows outside the corpus.
  [[nodiscard]] std::uint64_t rows_of(Place p) const noexcept {
    const RowId outside = copies_outside.empty() ? 0 : copies_outside[p];
    return 1 + copies_of(p).size() + outside;
  }
  [[nodiscard]] bool same_text(Place own, Place other) const noexcept {
    return own == other || (!twins.empty() && twins[own] == other);
  }
};

// Collapses identical texts: compares 128-bit hashes of the normalised texts and, if these are
// equal, the texts themselves. Items of --against are kept apart from the run's own items.
[[nodiscard]] Items collapse_identical(const Inputs& inputs, const Corpus& corpus,
                                       const Settings& settings, const std::vector<RowId>& ranked,
                                       ThreadPool& pool, const RunHooks& hooks);

// Collapses rows whose leaders are known. For each ranked position, `leaders` gives the position
// that leads the rows equal to it (kNoPlace if it is the leader).
[[nodiscard]] Items collapse_under_leaders(const Corpus& corpus, const std::vector<RowId>& ranked,
                                           std::vector<Place> leader_of);

// Throws Error{malformed_input} that names both places if two rows of the same collection have
// equal ids.
void check_unique_ids(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool);

// Compares the normalised texts of rows, which it makes from their original texts. For use by one
// thread.
class TextComparer {
 public:
  TextComparer(const Inputs& inputs, const Corpus& corpus, const Settings& settings);

  // Sets the row with which the next calls compare rows.
  void set_leader(RowNumber row);
  [[nodiscard]] bool same_as_leader(RowNumber row);

 private:
  RowReader reader_;
  TextShingler shingler_;
  std::string raw_;
  PaddedBytes padded_;
  std::optional<std::string> normalized_;
};

}  // namespace sosie
