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

// Two rows whose texts were compared in a matching, and their overlap, which is {0, 0, 0} if it
// does not reach the threshold.
struct SavedOverlap {
  RowId left;
  RowId right;
  Overlap overlap;
};

// True if two sets can have this overlap, or if it means that they do not reach the threshold.
[[nodiscard]] bool is_possible(const Overlap& overlap) noexcept;

// Sorts comparisons by their left, then right rows. If two rows have several equal comparisons, one
// is kept; if they have different ones, none.
void sort_overlaps(std::vector<SavedOverlap>& overlaps);

// All comparisons of a run, in a file that outlives it, so that a resumed run need not repeat them.
class SavedOverlaps {
 public:
  static constexpr std::string_view kMark = "sosie compared 1\n";  // the file begins with it

  // `about` identifies the rows and the threshold; comparisons made for others are discarded.
  // Throws as Journal does.
  SavedOverlaps(std::string path, std::uint64_t about);

  // The comparisons of rows in `rows`, which are identified by their positions there, sorted by
  // left, then right row; if there are more than `most`, any `most` of them. Impossible overlaps,
  // and pairs of rows with two different overlaps, are left out. Throws Error{io}.
  [[nodiscard]] std::vector<SavedOverlap> load(std::span<const RowNumber> rows,
                                               std::size_t most) const;
  // The variant for a run with this many rows in memory, whose positions are their numbers.
  [[nodiscard]] std::vector<SavedOverlap> load(RowId rows, std::size_t most) const;

  // Path of the file.
  [[nodiscard]] const std::string& path() const noexcept { return journal_.path(); }

  // May be called from many threads. Throws Error{io}.
  void add(RowNumber left, RowNumber right, const Overlap& overlap);
  // Called after the last add(): makes what was added survive a power loss.
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

// The comparisons that are already known among the rows of a matching. Thread-safe.
class OverlapCache {
 public:
  // `rows`: the run's numbers of the rows 0, 1, .... Takes 24 bytes per comparison; loads at most
  // as many comparisons as rows are possible.
  OverlapCache(SavedOverlaps& saved, std::vector<RowNumber> rows);
  // For the rows of a run in memory, which are identified by their numbers; `rows` is how many
  // there are.
  OverlapCache(SavedOverlaps& saved, RowId rows);
  // The comparisons that the files in `folder` contain, sorted by left, then right row, for all
  // rows, by the run's numbers. Comparisons that are added are not stored.
  OverlapCache(std::string folder, std::vector<SavedOverlap> known);

  // The overlap of two rows of the matching; nullopt if they have not been compared.
  [[nodiscard]] std::optional<Overlap> find(RowId left, RowId right) const;
  void add(RowId left, RowId right, const Overlap& overlap);
  // Throws Error{malformed_input} because a comparison was repeated with a different result.
  [[noreturn]] void refuse() const;

 private:
  [[nodiscard]] RowNumber row_of_run(RowId row) const { return rows_.empty() ? row : rows_[row]; }

  SavedOverlaps* saved_ = nullptr;  // null: nothing is added
  std::string path_;
  std::vector<RowNumber> rows_;  // empty: their own numbers
  std::vector<SavedOverlap> known_;
};

}  // namespace sosie
