// Removes the rows that hold an item of another collection: decontamination.
#include "decide/remove_holders.h"

#include <fmt/format.h>

#include <vector>

#include "cluster/star.h"
#include "core/count_text.h"
#include "corpus/rows/row_reader.h"
#include "corpus/rows/shingled_text.h"
#include "data/padded_bytes.h"
#include "options/tells.h"

namespace sosie {
namespace {

// By place of the run's own items: the item of --against that it holds most of, itself where it
// holds none; and what the two have in common, that item on the left.
struct Held {
  std::vector<Place> item;
  std::vector<Overlap> overlap;
};

Held find_held(SetRun& run) {
  Held held{std::vector<Place>(run.items.size()), std::vector<Overlap>(run.items.size())};
  for (Place item = 0; item < run.items.size(); ++item) held.item[item] = item;
  const Measure& measure = *run.settings.measure;
  const auto found = run.pairs_across("comparing");
  const PairSource pairs = source_of(*found);
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      if (!measure.left_reaches(pair.overlap, run.settings.threshold)) continue;
      const bool is_first = held.item[pair.right] == pair.right;
      if (!is_first && !measure.is_above(pair.overlap, held.overlap[pair.right])) continue;
      held.item[pair.right] = pair.left;
      held.overlap[pair.right] = pair.overlap;
    }
  });
  return held;
}

// A text with fewer words than a shingle is one shingle of its own, which no longer text has.
void tell_of_short_items(const SetRun& run) {
  const ShingleRecipe& recipe = run.settings.shingle;
  if (!tells(run.options, run.hooks) || run.options.kind != "text") return;
  RowReader reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}});
  PaddedBytes text;
  std::uint64_t short_items = 0;
  for (RowId row = 0; row < run.corpus.first_own_row; ++row) {
    if (run.items.place_of[row] == kNoPlace) continue;
    text.assign(reader.read(row).text);
    short_items += shingle_text(text.view(), recipe).tokens < recipe.span() ? 1 : 0;
  }
  if (short_items == 0) return;
  run.hooks.on_message(fmt::format(
      "{} of --against {} than a shingle ({}): no longer row is seen to hold {}; --shingle words:2 "
      "or chars:9 sees shorter ones",
      plural_text(short_items, "row", "rows"), short_items == 1 ? "is shorter" : "are shorter",
      run.options.shingle, short_items == 1 ? "it" : "them"));
}

}  // namespace

Decisions remove_holders(SetRun& run) {
  tell_of_short_items(run);
  const Held held = find_held(run);
  const Items& items = run.items;
  std::vector<Decision> of_row(run.corpus.rows);
  for (RowId row = 0; row < run.corpus.rows; ++row) {
    Decision& decision = of_row[row];
    decision.survivor = row;
    const Place place = items.place_of[row];
    if (place == kNoPlace || row < run.corpus.first_own_row) continue;
    const Place item = held.item[place];
    if (item == place) continue;
    decision.survivor = items.rows[item];
    decision.identical = items.same_text(place, item);
    if (!decision.identical) decision.score = Score(held.overlap[place]);
  }
  return {run.inputs, run.corpus, std::move(of_row)};
}

}  // namespace sosie
