// Decisions about rows in scratch, sorted by row.
#include "decide/spilled_decisions.h"

namespace sosie {

SpilledDecisions::SpilledDecisions(Scratch& scratch, const MemoryBudget& budget)
    : sorted_removed_(scratch, budget.sorts() / 4),
      sorted_groups_(scratch, budget.sorts() / 4),
      removed_rows_(scratch, sizeof(RemovedRow), kSmallPage),
      group_sizes_(scratch, sizeof(std::uint64_t), kSmallPage) {}

void SpilledDecisions::add_removed(RowId row, const Decision& decision) {
  sorted_removed_.add({row, decision.survivor, decision.score, decision.identical ? 1U : 0U});
}

void SpilledDecisions::add_group(RowId survivor, std::uint64_t rows) {
  sorted_groups_.add({survivor, rows});
}

void SpilledDecisions::finish(RowId rows) {
  removed_ = RowBits(rows);
  survivors_ = RowBits(rows);
  sorted_removed_.drain([&](const RemovedRow& removed) {
    removed_.set(removed.key);
    removed_rows_.append(&removed, 1);
  });
  std::uint64_t most = 1;
  sorted_groups_.drain([&](const KeyedRow& group) {
    survivors_.set(group.key);
    group_sizes_.append(&group.row, 1);
    if (group.row <= most) return;
    most = group.row;
    largest_ = static_cast<RowId>(group.key);
  });
  removed_rows_.finish();
  group_sizes_.finish();
  removed_.count();
  survivors_.count();
  removed_reader_.emplace(removed_rows_);
  size_reader_.emplace(group_sizes_);
}

Decision SpilledDecisions::of(RowId row) {
  if (!removed_.test(row)) return {.survivor = row};
  const RemovedRow& removed = (*removed_reader_)[removed_.rank(row)];
  return {removed.survivor, removed.score, removed.identical != 0};
}

std::uint64_t SpilledDecisions::group_rows(RowId row) {
  if (survivors_.test(row)) return (*size_reader_)[survivors_.rank(row)];
  return removed_.test(row) ? 0 : 1;
}

}  // namespace sosie
