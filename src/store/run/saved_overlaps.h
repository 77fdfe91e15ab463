#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "data/overlap.h"
#include "io/journal.h"

namespace sosie {

// Two rows of a matching whose texts were compared: their overlap; {0, 0, 0} if it does not reach
// the threshold.
struct SavedOverlap {
  RowId left;
  RowId right;
  Overlap overlap;
};

// True if two sets can have it, or it says that they do not reach the threshold.
[[nodiscard]] bool is_possible(const Overlap& overlap) noexcept;

// Puts comparisons in the order of their left, then right rows. Of two rows with several equal ones
// it leaves one, of two with different ones none.
void sort_overlaps(std::vector<SavedOverlap>& overlaps);

// All comparisons of a run, in a file that outlives it: a run that goes on need not repeat them.
class SavedOverlaps {
 public:
  static constexpr std::string_view kMark = "sosie compared 1\n";  // the file begins with it

  // `about`: what the rows and the threshold are. Comparisons of other ones are forgotten. Throws
  // as Journal does.
  SavedOverlaps(std::string path, std::uint64_t about);

  // Comparisons of rows among `rows`, which are named by their positions there, by left, then right
  // one; `most` of them, whichever. Left out: numbers that no overlap has, and two rows with two
  // different ones. Throws Error{io}.
  [[nodiscard]] std::vector<SavedOverlap> load(std::span<const RowNumber> rows,
                                               std::size_t most) const;
  // Likewise, of a run of so many rows in memory: positions are their numbers.
  [[nodiscard]] std::vector<SavedOverlap> load(RowId rows, std::size_t most) const;

  // Where they are.
  [[nodiscard]] const std::string& path() const noexcept { return journal_.path(); }

  // From many threads. Throws Error{io}.
  void add(RowNumber left, RowNumber right, const Overlap& overlap);
  // Behind the last add(): what was added outlives a loss of power.
  void flush();

 private:
  using EachOverlap = std::function<void(RowNumber, RowNumber, const Overlap&)>;
  void for_each(const EachOverlap& each) const;
  void write();

  Journal journal_;
  std::mutex mutex_;
  std::string unwritten_;
  std::uint32_t unwritten_parts_ = 0;  // parts of the last rows there
};

// Comparisons known already among the rows of one matching. Safe for many threads.
class OverlapCache {
 public:
  // `rows`: which rows of the run are meant by 0, 1, .... Takes 24 bytes a comparison; as many are
  // looked up as there may be rows.
  OverlapCache(SavedOverlaps& saved, std::vector<RowNumber> rows);
  // Rows of a run in memory are meant by their numbers; there are so many.
  OverlapCache(SavedOverlaps& saved, RowId rows);
  // Comparisons that files of `folder` tell, by left, then right row: of all rows, whose numbers
  // are the run's. What is added is forgotten.
  OverlapCache(std::string folder, std::vector<SavedOverlap> known);

  // Overlap of two rows of the matching; nothing if they were not compared.
  [[nodiscard]] std::optional<Overlap> find(RowId left, RowId right) const;
  void add(RowId left, RowId right, const Overlap& overlap);
  // A comparison was repeated and found to be another. Throws Error{malformed_input}.
  [[noreturn]] void refuse() const;

 private:
  [[nodiscard]] RowNumber row_of_run(RowId row) const { return rows_.empty() ? row : rows_[row]; }

  SavedOverlaps* saved_ = nullptr;  // null: nothing is added
  std::string path_;
  std::vector<RowNumber> rows_;  // empty: their own numbers
  std::vector<SavedOverlap> known_;
};

}  // namespace sosie
