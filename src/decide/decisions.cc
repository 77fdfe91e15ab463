// Decisions about rows in memory or in scratch, from clusters of items.
#include "decide/decisions.h"

#include <map>
#include <string_view>

#include "decide/spilled_decisions.h"

namespace sosie {

namespace {

std::vector<Decision> decisions_by_row(const Corpus& corpus, const Items& items,
                                       std::span<const Place> survivors,
                                       const std::function<Score(Place)>& score_of) {
  std::vector<Decision> of_row(corpus.rows);
  for (RowId row = 0; row < corpus.rows; ++row) {
    const Place place = items.place_of[row];
    if (place == kNoPlace || row < corpus.first_own_row) {
      of_row[row].survivor = row;
      continue;
    }
    const Place survivor = survivors[place];
    const RowId kept = items.rows[survivor];
    const bool identical = kept != row && items.same_text(place, survivor);
    of_row[row] = {kept, identical || kept == row ? Score() : score_of(place), identical};
  }
  return of_row;
}

}  // namespace

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
                     std::span<const Place> survivors, const std::function<Score(Place)>& score_of)
    : Decisions(inputs, corpus, decisions_by_row(corpus, items, survivors, score_of)) {}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
                     const Clusters& clusters)
    : Decisions(inputs, corpus, items, clusters.survivor,
                [&](Place place) { return Score(clusters.overlap[place]); }) {}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, std::vector<Decision> of_row)
    : inputs_(inputs), corpus_(corpus), of_row_(std::move(of_row)) {
  group_rows_.assign(corpus.rows, 0);
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (block.state(i) == RowState::skipped) continue;
      const RowId row = block.first_row + static_cast<RowId>(i);
      const RowId survivor = of(row).survivor;
      if (survivor != kNoRow) group_rows_[survivor] += 1 + corpus.own_copies_outside(row);
    }
  }
}

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus,
                     std::unique_ptr<SpilledDecisions> spilled)
    : inputs_(inputs), corpus_(corpus), spilled_(std::move(spilled)) {}

Decisions::~Decisions() = default;
Decisions::Decisions(Decisions&&) noexcept = default;

Decision Decisions::of(RowId row) const { return spilled_ ? spilled_->of(row) : of_row_[row]; }

bool Decisions::is_removed(RowId row) const {
  if (spilled_) return spilled_->is_removed(row);
  return row >= corpus_.first_own_row && of_row_[row].survivor != row;
}

std::uint64_t Decisions::group_rows(RowId survivor) const {
  if (survivor == kNoRow) return 0;
  return spilled_ ? spilled_->group_rows(survivor) : group_rows_[survivor];
}

namespace {

void count_row(const Decision& decision, RowId row, InputCounts& counts) {
  std::uint64_t& counter = decision.survivor == row ? counts.kept
                           : decision.identical     ? counts.identical
                                                    : counts.near;
  ++counter;
}

}  // namespace

void Decisions::count(RunSummary& summary) const {
  std::map<std::string_view, InputCounts*> by_name;
  for (InputCounts& counts : summary.inputs) by_name.emplace(counts.name, &counts);
  std::vector<InputCounts*> of_file;
  for (const InputFile& input : inputs_.list) of_file.push_back(by_name[input.group]);
  for (std::size_t block = 0; block < corpus_.facts.size(); ++block) {
    corpus_.for_each_row(block, [&](RowId row, const RowLocator& place, RowState state) {
      if (state == RowState::skipped || row < corpus_.first_own_row) return;
      const Decision decision = of(row);
      if (decision.survivor < corpus_.first_own_row) ++summary.against.removed;
      count_row(decision, row, summary.total);
      count_row(decision, row, *of_file[place.file]);
    });
  }
  if (spilled_) summary.groups = spilled_->groups();
  for (const std::uint32_t rows : group_rows_) summary.groups += rows >= 2 ? 1U : 0U;
}

RowId Decisions::largest_group() const {
  if (spilled_) return spilled_->largest_group();
  RowId largest = kNoRow;
  std::uint32_t most = 1;
  for (RowId row = 0; row < group_rows_.size(); ++row) {
    if (group_rows_[row] <= most) continue;
    most = group_rows_[row];
    largest = row;
  }
  return largest;
}

}  // namespace sosie
