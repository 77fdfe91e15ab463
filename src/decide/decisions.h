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

// Result of verifying two items: the overlap of two sets, from which a measure makes an exact
// fraction, or the value that the measure of other items has computed. 12 bytes; the caller knows
// which one it holds.
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

// Decision about one row.
struct Decision {
  // The row itself when it is kept; kNoRowNumber: removed by a person's word.
  RowNumber survivor = kNoRowNumber;
  Score score = {};  // score of this row (left) and its survivor, if that is another row and not
                     // identical
  bool identical = false;  // removed as the same item (of texts: normalised) as the survivor

  // True if the two are the same item.
  [[nodiscard]] bool is_same(RowNumber row) const noexcept { return identical || survivor == row; }
};

// A decision about a row in memory, as it is kept there.
struct RowDecision {
  RowId survivor = kNoRow;
  Score score = {};
  bool identical = false;

  [[nodiscard]] operator Decision() const noexcept {
    return {row_number(survivor), score, identical};
  }
};

class SpilledDecisions;

// Decisions about every row. Rows of --against are neither kept nor removed. Not thread-safe.
class Decisions {
 public:
  // Says of rows what is known of items: the survivor of each place, and what the two have in
  // common.
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            const Clusters& clusters, ThreadPool& pool);
  Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
            std::span<const Place> survivors, const std::function<Score(Place)>& score_of,
            ThreadPool& pool);
  // `of_row`: one decision per row.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::vector<RowDecision> of_row);

  // `spilled`: of rows in scratch.
  Decisions(const Inputs& inputs, const Corpus& corpus, std::unique_ptr<SpilledDecisions> spilled);
  ~Decisions();
  Decisions(Decisions&&) noexcept;
  Decisions& operator=(Decisions&&) = delete;

  [[nodiscard]] Decision of(RowNumber row) const;
  // True if the row is left out as a duplicate.
  [[nodiscard]] bool is_removed(RowNumber row) const;
  // Rows of the group that this row survives for, itself included; 0 for removed rows.
  [[nodiscard]] std::uint64_t group_rows(RowNumber survivor) const;

  // Fills in what was kept and removed, per input and in all, and how many groups there are.
  void count(RunSummary& summary, ThreadPool& pool) const;

  // The survivor of the largest group of two rows or more; kNoRowNumber when there is none.
  [[nodiscard]] RowNumber largest_group() const;

 private:
  struct BlockCounts {
    std::uint64_t kept = 0;
    std::uint64_t identical = 0;
    std::uint64_t near = 0;
    std::uint64_t by_against = 0;  // removed for a row of --against
  };
  [[nodiscard]] BlockCounts count_block(std::size_t block) const;

  const Inputs& inputs_;
  const Corpus& corpus_;
  std::vector<RowDecision> of_row_;
  std::vector<std::uint32_t> group_rows_;
  std::unique_ptr<SpilledDecisions> spilled_;  // in place of both, of rows in scratch
};

// Decisions about rows in scratch: a bit or two a row in memory, all else in scratch. Rows without
// a decision are kept and similar to none. Belongs to one thread.
class SpilledDecisions {
 public:
  SpilledDecisions(Scratch& scratch, const MemoryBudget& budget);

  // In any order, each row once. Throw what ExternalSort::add() does.
  void add_removed(RowNumber row, const Decision& decision);
  // `rows`: at least two, the survivor's own included.
  void add_group(RowNumber survivor, std::uint64_t rows);
  // Behind the last of these, and before what follows. `rows` there are in all.
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
