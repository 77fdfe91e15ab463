#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/memory_budget.h"
#include "core/row_bits.h"
#include "corpus/identical.h"
#include "data/clusters.h"
#include "data/overlap.h"
#include "data/run_summary.h"
#include "io/external_sort.h"

namespace sosie {

// The result of verifying two items: either the overlap of two sets, from which a measure computes
// an exact fraction, or the value that another measure has computed. Takes 12 bytes; the caller
// knows which of the two it holds.
class Score {
 public:
  Score() = default;
  explicit Score(const Overlap& overlap) noexcept
      : words_{overlap.shared, overlap.united, overlap.left} {}
  explicit Score(double value) noexcept { std::memcpy(words_.data(), &value, sizeof value); }

  [[nodiscard]] Overlap overlap() const noexcept { return {words_[0], words_[1], words_[2]}; }
  [[nodiscard]] double value() const noexcept {
    double value = 0;
    std::memcpy(&value, words_.data(), sizeof value);
    return value;
  }

 private:
  std::array<std::uint32_t, 3> words_{};
};

// The decision on a row.
struct Decision {
  // The row itself if it is kept; kNoRowNumber if a person decided to remove it.
  RowNumber survivor = kNoRowNumber;
  Score score = {};        // score of this row (left) and its survivor, unless kept or identical
  bool identical = false;  // removed as the same item as the survivor (texts: normalised)

  // True if the row and its survivor are the same item.
  [[nodiscard]] bool is_same(RowNumber row) const noexcept { return identical || survivor == row; }
};

// The decision on a row in memory, in the form in which it is stored.
struct RowDecision {
  RowId survivor = kNoRow;
  Score score = {};
  bool identical = false;

  // NOLINTNEXTLINE(google-explicit-constructor): a different form of the same decision
  [[nodiscard]] operator Decision() const noexcept {
    return {row_number(survivor), score, identical};
  }
};

class SpilledDecisions;

// The decisions on all rows. Rows of --against are neither kept nor removed. Not thread-safe.
class Decisions {
 public:
  // Derives the decisions on rows from the decisions on items: the survivor of each place, and the
  // overlap between the two.
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            const Clusters& clusters, ThreadPool& pool);
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            std::span<const Place> survivors, const std::function<Score(Place)>& score_of,
            ThreadPool& pool);
  // `of_row`: one decision per row.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::vector<RowDecision> of_row);

  // `spilled`: the decisions on rows in scratch.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::unique_ptr<SpilledDecisions> spilled);
  ~Decisions();
  Decisions(Decisions&&) noexcept;
  Decisions& operator=(Decisions&&) = delete;

  [[nodiscard]] Decision of(RowNumber row) const;
  // True if the row is removed as a duplicate.
  [[nodiscard]] bool is_removed(RowNumber row) const;
  // Number of rows in the group whose survivor this row is, including itself; 0 for removed rows.
  [[nodiscard]] std::uint64_t group_rows(RowNumber survivor) const;

  // Fills in the numbers of kept and removed rows, per input and in total, and the number of
  // groups.
  void count(RunSummary& summary, ThreadPool& pool) const;

  // The survivor of the largest group of two or more rows; kNoRowNumber if there is no such group.
  [[nodiscard]] RowNumber largest_group() const;

 private:
  struct BlockCounts {
    std::uint64_t kept = 0;
    std::uint64_t identical = 0;
    std::uint64_t near = 0;
    std::uint64_t by_against = 0;  // removed because of a row of --against
  };
  [[nodiscard]] BlockCounts count_block(std::size_t block) const;

  const Inputs& inputs_;
  const Corpus& corpus_;
  std::vector<RowDecision> of_row_;
  std::vector<std::uint32_t> group_rows_;
  std::unique_ptr<SpilledDecisions> spilled_;  // replaces both if rows are in scratch
};

// The decisions on rows in scratch. Uses one or two bits of memory per row; everything else is in
// scratch. Rows without a decision are kept and similar to no other row. Not thread-safe.
class SpilledDecisions {
 public:
  SpilledDecisions(Scratch& scratch, const MemoryBudget& budget);

  // Rows and groups may be added in any order, but each only once. The functions throw as
  // ExternalSort::add() does.
  void add_removed(RowNumber row, const Decision& decision);
  // `rows`: number of rows in the group, including the survivor; at least two.
  void add_group(RowNumber survivor, std::uint64_t rows);
  // Must be called after all additions and before the functions below. `rows`: total number of
  // rows.
  void finish(RowNumber rows);

  [[nodiscard]] bool is_removed(RowNumber row) const noexcept { return removed_.test(row); }
  [[nodiscard]] Decision of(RowNumber row);
  [[nodiscard]] std::uint64_t group_rows(RowNumber row);
  [[nodiscard]] std::uint64_t groups() const noexcept { return survivors_.size(); }
  [[nodiscard]] RowNumber largest_group() const noexcept { return largest_; }

 private:
  struct RemovedRow {
    std::uint64_t key;  // the row
    RowNumber survivor;
    Score score;
    std::uint32_t identical;
  };

  ExternalSort<RemovedRow> sorted_removed_;
  ExternalSort<KeyedRow> sorted_groups_;  // by survivor, with the number of rows
  RecordFile removed_rows_;               // by position in removed_
  RecordFile group_sizes_;                // by position in survivors_
  RowBits removed_;
  RowBits survivors_;  // survivors of groups of two or more
  RowNumber largest_ = kNoRowNumber;
  std::optional<ColumnReader<RemovedRow>> removed_reader_;
  std::optional<ColumnReader<std::uint64_t>> size_reader_;
};

}  // namespace sosie
