#include <algorithm>

#include "pipeline/sets/run.h"

namespace sosie {

PairRows Run::similar_rows(std::string_view stage) {
  const bool across = inputs.has_against();
  if (!is_spilled()) {
    FoundPairs pairs = pairs_in_scope(stage, across);
    if (has_checkpoint()) checkpoint->overlaps().flush();
    return {corpus, items, settings, across, std::move(pairs)};
  }
  auto spilled =
      std::make_unique<SpilledPairs>(across, *scratch, MemoryBudget{settings.memory_bytes});
  for_each_batch(
      [&](std::span<const RowId> rows) { collect_pairs(stage, rows, across, *spilled); });
  for_each_large_batch(
      [&](const std::vector<RowId>& rows) { collect_pairs_of_large(stage, rows, *spilled); });
  if (has_checkpoint()) checkpoint->overlaps().flush();
  spilled->finish();
  return PairRows(std::move(spilled));
}

FoundPairs Run::pairs_in_scope(std::string_view stage, bool across) {
  PairScope scope;
  if (across) scope = {.left_end = items.fixed, .right_begin = items.fixed};
  return found_pairs(stage, scope);
}

void Run::collect_pairs(std::string_view stage, std::span<const RowId> rows, bool across,
                        SpilledPairs& spilled) {
  const SpilledCopies& copies = batches_->copies();
  const PairRows found(corpus, items, settings, across, pairs_in_scope(stage, across));
  found.for_each_left([&](std::span<const RowPair> pairs) {
    for (const RowPair& pair : pairs) {
      spilled.add_with_copies({rows[pair.left], rows[pair.right], pair.overlap}, copies);
    }
    return true;
  });
  if (across) return;
  for (const RowId row : rows) spilled.add_copies_of(row, copies);
}

// Part by part, each with those before it; or each part of the run's own with each of --against.
void Run::collect_pairs_of_large(std::string_view stage, std::span<const RowId> rows,
                                 SpilledPairs& spilled) {
  const std::size_t part = batches_->most_rows_at_once() / 2;
  const auto parts_of = [&](std::span<const RowId> whole, const auto& each) {
    for (std::size_t at = 0; at < whole.size(); at += part) {
      each(whole.subspan(at, std::min(part, whole.size() - at)), whole.first(at));
    }
  };
  const std::size_t others = batches_->count_others(rows);
  parts_of(rows.subspan(others), [&](std::span<const RowId> own, std::span<const RowId> before) {
    parts_of(inputs.has_against() ? rows.first(others) : before,
             [&](std::span<const RowId> some, std::span<const RowId>) {
               std::vector<RowId> both(some.begin(), some.end());
               both.insert(both.end(), own.begin(), own.end());
               match(both, static_cast<RowId>(some.size()), Order::rank,
                     [&] { collect_pairs(stage, both, true, spilled); });
             });
    if (inputs.has_against()) return;
    match(own, 0, Order::rank, [&] { collect_pairs(stage, own, false, spilled); });
  });
}

}  // namespace sosie
