// Decisions about rows in memory or in scratch, from clusters of items.
#include "decide/decisions.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/most_rows.h"

namespace sosie {
namespace {

std::vector<RowDecision> decisions_by_row(const Corpus& corpus, const Items& items,
                                          std::span<const Place> survivors,
                                          const std::function<Score(Place)>& score_of,
                                          ThreadPool& pool) {
  constexpr std::size_t kRowsAtOnce = 1 << 14;
  std::vector<RowDecision> of_row(corpus.rows);
  const auto decision_of = [&](RowId row) -> RowDecision {
    const Place place = items.place_of[row];
    if (place == kNoPlace || row < corpus.first_own_row) return {.survivor = row};
    const Place survivor = survivors[place];
    const RowId kept = items.rows[survivor];
    const bool identical = kept != row && items.same_text(place, survivor);
    return {kept, identical || kept == row ? Score() : score_of(place), identical};
  };
  const std::size_t shares = (of_row.size() + kRowsAtOnce - 1) / kRowsAtOnce;
  pool.for_each(shares, [&](unsigned /*worker*/, std::size_t share) {
    const std::size_t end = std::min(of_row.size(), (share + 1) * kRowsAtOnce);
    for (std::size_t row = share * kRowsAtOnce; row < end; ++row) {
      of_row[row] = decision_of(static_cast<RowId>(row));
    }
  });
  return of_row;
}

}  // namespace

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
                     std::span<const Place> survivors, const std::function<Score(Place)>& score_of,
                     ThreadPool& pool)
    : Decisions(inputs, corpus, decisions_by_row(corpus, items, survivors, score_of, pool)) {}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
                     const Clusters& clusters, ThreadPool& pool)
    : Decisions(
          inputs, corpus, items, clusters.survivor,
          [&](Place place) { return Score(clusters.overlap[place]); }, pool) {}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, std::vector<RowDecision> of_row)
    : inputs_(inputs), corpus_(corpus), of_row_(std::move(of_row)) {
  group_rows_.assign(corpus.rows, 0);
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (block.state(i) == RowState::skipped) continue;
      const RowNumber row = block.first_row + i;
      const RowId survivor = of_row_[row].survivor;
      if (survivor == kNoRow) continue;
      const std::uint64_t rows =
          std::uint64_t{group_rows_[survivor]} + 1 + corpus.own_copies_outside(row);
      check_rows_of_group(rows);
      group_rows_[survivor] = static_cast<std::uint32_t>(rows);
    }
  }
}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus,
                     std::unique_ptr<SpilledDecisions> spilled)
    : inputs_(inputs), corpus_(corpus), spilled_(std::move(spilled)) {}

Decisions::~Decisions() = default;
Decisions::Decisions(Decisions&&) noexcept = default;

Decision Decisions::of(RowNumber row) const {
  return spilled_ ? spilled_->of(row) : Decision(of_row_[row]);
}

bool Decisions::is_removed(RowNumber row) const {
  if (spilled_) return spilled_->is_removed(row);
  return row >= corpus_.first_own_row && row_number(of_row_[row].survivor) != row;
}

std::uint64_t Decisions::group_rows(RowNumber survivor) const {
  if (survivor == kNoRowNumber) return 0;
  return spilled_ ? spilled_->group_rows(survivor) : group_rows_[survivor];
}

Decisions::BlockCounts Decisions::count_block(std::size_t block) const {
  BlockCounts counts;
  corpus_.for_each_row(block, [&](RowNumber row, const RowLocator&, RowState state) {
    if (state == RowState::skipped || row < corpus_.first_own_row) return;
    const Decision decision = of(row);
    if (decision.survivor < corpus_.first_own_row) ++counts.by_against;
    ++(decision.survivor == row ? counts.kept
       : decision.identical     ? counts.identical
                                : counts.near);
  });
  return counts;
}

void Decisions::count(RunSummary& summary, ThreadPool& pool) const {
  std::vector<BlockCounts> of_block(corpus_.facts.size());
  if (spilled_) {
    for (std::size_t block = 0; block < of_block.size(); ++block) {
      of_block[block] = count_block(block);
    }
  } else {
    pool.for_each(of_block.size(), [&](unsigned /*worker*/, std::size_t block) {
      of_block[block] = count_block(block);
    });
  }
  std::map<std::string_view, InputCounts*> by_name;
  for (InputCounts& counts : summary.inputs) by_name.emplace(counts.name, &counts);
  for (std::size_t block = 0; block < of_block.size(); ++block) {
    const BlockCounts& counts = of_block[block];
    summary.against.removed += counts.by_against;
    const auto named = by_name.find(inputs_.list[corpus_.ranges[block].file].group);
    if (named == by_name.end()) continue;  // rows of --against are not counted
    for (InputCounts* const total : {&summary.total, named->second}) {
      total->kept += counts.kept;
      total->identical += counts.identical;
      total->near += counts.near;
    }
  }
  if (spilled_) summary.groups = spilled_->groups();
  for (const std::uint32_t rows : group_rows_) summary.groups += rows >= 2 ? 1U : 0U;
}

RowNumber Decisions::largest_group() const {
  if (spilled_) return spilled_->largest_group();
  RowNumber largest = kNoRowNumber;
  std::uint32_t most = 1;
  for (RowNumber row = 0; row < group_rows_.size(); ++row) {
    if (group_rows_[row] <= most) continue;
    most = group_rows_[row];
    largest = row;
  }
  return largest;
}

SpilledDecisions::SpilledDecisions(Scratch& scratch, const MemoryBudget& budget)
    : sorted_removed_(scratch, budget.sorts() / 4),
      sorted_groups_(scratch, budget.sorts() / 4),
      removed_rows_(scratch, sizeof(RemovedRow), kSmallPage),
      group_sizes_(scratch, sizeof(std::uint64_t), kSmallPage) {}

void SpilledDecisions::add_removed(RowNumber row, const Decision& decision) {
  sorted_removed_.add({row, decision.survivor, decision.score, decision.identical ? 1U : 0U});
}

void SpilledDecisions::add_group(RowNumber survivor, std::uint64_t rows) {
  sorted_groups_.add({survivor, rows});
}

void SpilledDecisions::finish(RowNumber rows) {
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
    largest_ = group.key;
  });
  removed_rows_.finish();
  group_sizes_.finish();
  removed_.count();
  survivors_.count();
  removed_reader_.emplace(removed_rows_);
  size_reader_.emplace(group_sizes_);
}

Decision SpilledDecisions::of(RowNumber row) {
  if (!removed_.test(row)) return {.survivor = row};
  const RemovedRow& removed = (*removed_reader_)[removed_.rank(row)];
  return {removed.survivor, removed.score, removed.identical != 0};
}

std::uint64_t SpilledDecisions::group_rows(RowNumber row) {
  if (survivors_.test(row)) return (*size_reader_)[survivors_.rank(row)];
  return removed_.test(row) ? 0 : 1;
}

}  // namespace sosie
