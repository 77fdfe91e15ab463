#pragma once

#include <optional>

#include "core/memory_budget.h"
#include "core/row_bits.h"
#include "decide/decisions.h"
#include "io/external_sort.h"

namespace sosie {

// Decisions about rows in scratch: a bit or two a row in memory, all else in scratch. Rows without
// a decision are kept and similar to none. Belongs to one thread.
class SpilledDecisions {
 public:
  SpilledDecisions(Scratch& scratch, const MemoryBudget& budget);

  // In any order, each row once. Throw what ExternalSort::add() does.
  void add_removed(RowId row, const Decision& decision);
  // `rows`: at least two, the survivor's own included.
  void add_group(RowId survivor, std::uint64_t rows);
  // Behind the last of these, and before what follows. `rows` there are in all.
  void finish(RowId rows);

  [[nodiscard]] bool is_removed(RowId row) const noexcept { return removed_.test(row); }
  [[nodiscard]] Decision of(RowId row);
  [[nodiscard]] std::uint64_t group_rows(RowId row);
  [[nodiscard]] std::uint64_t groups() const noexcept { return survivors_.size(); }
  [[nodiscard]] RowId largest_group() const noexcept { return largest_; }

 private:
  struct RemovedRow {
    std::uint64_t key;  // the row
    RowId survivor;
    Score score;
    std::uint32_t identical;
  };

  ExternalSort<RemovedRow> sorted_removed_;
  ExternalSort<KeyedRow> sorted_groups_;  // by survivor, with the number of rows
  RecordFile removed_rows_;               // by position in removed_
  RecordFile group_sizes_;                // by position in survivors_
  RowBits removed_;
  RowBits survivors_;  // survivors of groups of two or more
  RowId largest_ = kNoRow;
  std::optional<ColumnReader<RemovedRow>> removed_reader_;
  std::optional<ColumnReader<std::uint64_t>> size_reader_;
};

}  // namespace sosie
