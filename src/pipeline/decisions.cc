#include "pipeline/decisions.h"

namespace sosie {

Decisions::Decisions(const Inputs& inputs, const Corpus& corpus, const Items& items,
                     Clusters clusters)
    : inputs_(inputs), corpus_(corpus), items_(items), clusters_(std::move(clusters)) {
  group_rows_.assign(corpus.rows, 0);
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (block.states[i] == RowState::skipped) continue;
      ++group_rows_[of(block.first_row + static_cast<RowId>(i)).survivor];
    }
  }
}

Decision Decisions::of(RowId row) const {
  const Place place = items_.place_of[row];
  if (place == kNoPlace) return {row, {1, 1}, false};
  const Place survivor = clusters_.survivor[place];
  const RowId kept = items_.rows[survivor];
  if (survivor == place) return {kept, {1, 1}, kept != row};
  return {kept, clusters_.overlap[place], false};
}

bool Decisions::is_kept(RowId row) const {
  return of(row).survivor == row && corpus_.state(row) != RowState::skipped;
}

void Decisions::count(RunSummary& summary) const {
  std::vector<InputCounts*> of_file;
  for (const InputFile& input : inputs_.list) {
    for (InputCounts& counts : summary.inputs) {
      if (counts.name == input.group) of_file.push_back(&counts);
    }
  }
  for (const ScannedBlock& block : corpus_.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      if (block.states[i] == RowState::skipped) continue;
      const RowId row = block.first_row + static_cast<RowId>(i);
      const Decision decision = of(row);
      for (InputCounts* counts : {&summary.total, of_file[block.locators[i].file]}) {
        std::uint64_t& counter = decision.survivor == row ? counts->kept
                                 : decision.identical     ? counts->identical
                                                          : counts->near;
        ++counter;
      }
    }
  }
  for (const std::uint32_t rows : group_rows_) summary.groups += rows >= 2 ? 1U : 0U;
}

RowId Decisions::largest_group() const {
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
