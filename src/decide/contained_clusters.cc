// Decisions by one-way measures: removes rows that other rows contain, or rows that contain items
// of --against.
#include "decide/contained_clusters.h"

#include <fmt/format.h>

#include "cluster/contained_star.h"
#include "cluster/star.h"
#include "core/count_text.h"
#include "core/size_text.h"
#include "corpus/rows/row_reader.h"
#include "corpus/rows/shingled_text.h"
#include "corpus/spill/spilled_rows.h"
#include "data/kinds.h"
#include "data/padded_bytes.h"
#include "decide/sort_by_rank.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// For each of the run's own items, by place: the item of --against of which it contains the largest
// share (the item itself if there is none), and the overlap of the two, with that item on the left.
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

// A text with fewer words than a shingle is a single shingle of its own, which no longer text
// contains.
void tell_of_short_items(const SetRun& run) {
  const ShingleRecipe& recipe = run.settings.shingle;
  if (!tells(run.options, run.hooks) || run.options.kind != kTextItems) return;
  RowReader reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}});
  PaddedBytes text;
  std::uint64_t short_items = 0;
  for (RowId row = 0; row < run.corpus.first_own_row; ++row) {
    if (run.corpus.state(row) != RowState::normal) continue;
    text.assign(reader.read(row).text);
    short_items += shingle_text(text.view(), recipe).tokens < recipe.span() ? 1 : 0;
  }
  if (short_items == 0) return;
  run.hooks.on_message(fmt::format(
      "{} of --against {} than a shingle ({}): a longer row that contains {} cannot be found; "
      "--shingle "
      "words:2 or chars:9 also finds shorter ones",
      plural_text(short_items, "row", "rows"), short_items == 1 ? "is shorter" : "are shorter",
      run.options.shingle, short_items == 1 ? "it" : "them"));
}

// A row is removed if another row contains it. It is kept if it contains an item of --against, as
// long documents contain short ones; in this case, tells users how to remove such rows. `fixed`:
// the first item after --against. rows_of(item): number of rows for which the item stands; 0 if it
// was removed.
void say_what_contains(const SetRun& run, const PairSource& pairs, Place fixed, Place items,
                       const std::function<std::uint64_t(Place)>& rows_of) {
  if (fixed == 0 || !tells(run.options, run.hooks)) return;
  std::vector<bool> contains(items);
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      if (pair.left >= fixed || pair.right < fixed) continue;
      const bool holds = run.settings.measure->left_reaches(pair.overlap, run.settings.threshold);
      if (holds) contains[pair.right] = true;
    }
  });
  std::uint64_t rows = 0;
  for (Place item = 0; item < items; ++item) rows += contains[item] ? rows_of(item) : 0;
  if (rows == 0) return;
  run.hooks.on_message(fmt::format(
      "kept {} that {} a row of --against: a row is removed only if another row contains it. "
      "--contained {} instead of --measure and --threshold removes such rows",
      plural_text(rows, "row", "rows"), rows == 1 ? "contains" : "contain", run.options.threshold));
}

ContainedStarTask star_task(const SetRun& run, const PairSource& pairs, Place items, Place fixed) {
  return {.items = items,
          .pairs = pairs,
          .measure = *run.settings.measure,
          .threshold = run.settings.threshold,
          .fixed = fixed,
          .by_rank = is_given(run.options, "keep"),
          .scratch = *run.scratch,
          .sort_bytes = MemoryBudget{run.settings.memory_bytes}.sorts() / 2};
}

// Decisions about rows that stand for their copies, in input order.
class JoinedRowDecisions {
 public:
  // `pairs`: pairs of rows, including rows removed because of rows of --against.
  JoinedRowDecisions(SetRun& run, const PairSource& pairs)
      : run_(run),
        comparer_(run.inputs, run.corpus, run.settings),
        twins_(run.corpus.rows),
        removed_(run.corpus.rows),
        group_rows_(*run.scratch, MemoryBudget{run.settings.memory_bytes}.sorts() / 4),
        decided_(std::make_unique<SpilledDecisions>(*run.scratch,
                                                    MemoryBudget{run.settings.memory_bytes})) {
    find_twins(pairs);
  }

  void remove(RowNumber row, RowNumber survivor, const Overlap& overlap) {
    Decision decision{.survivor = survivor, .identical = is_twin(row, survivor)};
    if (!decision.identical) decision.score = Score(overlap);
    removed_.set(row);
    decided_->add_removed(row, decision);
    std::uint64_t rows = 1;
    run_.copies().for_each_copy(row, [&](RowNumber copy) {
      decided_->add_removed(copy, decision);
      ++rows;
    });
    group_rows_.add({survivor, rows});
  }

  // Number of rows for which this row stands; 0 for removed rows.
  [[nodiscard]] std::uint64_t kept_rows(RowNumber row) const {
    return removed_.test(row) ? 0 : 1 + run_.copies().copies_of(row);
  }

  // Removes the copies of kept rows.
  void remove_copies() {
    run_.copies().leaders().for_each([&](RowNumber row) {
      if (row < run_.corpus.first_own_row || removed_.test(row)) return;
      run_.copies().for_each_copy(row, [&](RowNumber copy) {
        decided_->add_removed(copy, {.survivor = row, .identical = true});
      });
      group_rows_.add({row, run_.copies().copies_of(row)});
    });
  }

  [[nodiscard]] Decisions finish() {
    RowNumber survivor = kNoRowNumber;
    std::uint64_t rows = 1;
    const auto end_group = [&] {
      if (rows > 1) decided_->add_group(survivor, rows);
      rows = 1;
    };
    group_rows_.drain([&](const KeyedRow& removed) {
      if (removed.key != survivor) end_group();
      survivor = removed.key;
      rows += removed.row;
    });
    end_group();
    decided_->finish(run_.corpus.rows);
    return {run_.inputs, run_.corpus, std::move(decided_)};
  }

 private:
  // Marks rows that have the same text hash as a row of --against.
  void find_twins(const PairSource& pairs) {
    const RowNumber fixed = run_.corpus.first_own_row;
    if (fixed == 0) return;
    pairs([&](std::span<const VerifiedPair> some) {
      for (const VerifiedPair& pair : some) {
        const bool across = pair.left < fixed && pair.right >= fixed;
        if (!across || pair.overlap.shared != pair.overlap.united) continue;
        if (hash_of(pair.left) != hash_of(pair.right)) continue;
        twins_.set(pair.left);
        twins_.set(pair.right);
      }
    });
    keep_rows_at_hand(run_.inputs, run_.corpus, twins_, {*run_.scratch, run_.pool, run_.hooks});
  }

  [[nodiscard]] Hash128 hash_of(RowNumber row) const {
    Hash128 hash;
    run_.corpus.spilled->text_hashes().read(row, 1, &hash);
    return hash;
  }

  [[nodiscard]] bool is_twin(RowNumber row, RowNumber survivor) {
    const bool across = survivor < run_.corpus.first_own_row;
    if (!across || !twins_.test(row) || !twins_.test(survivor)) return false;
    if (hash_of(row) != hash_of(survivor)) return false;
    comparer_.set_leader(survivor);
    return comparer_.same_as_leader(row);
  }

  SetRun& run_;
  TextComparer comparer_;
  RowBits twins_;
  RowBits removed_;
  ExternalSort<KeyedRow> group_rows_;  // removed rows by survivor
  std::unique_ptr<SpilledDecisions> decided_;
};

// Rows that occur in pairs, as items in rank order.
class PairedRows {
 public:
  PairedRows(const SetRun& run, const PairSource& pairs) : pairs_(pairs), paired_(run.corpus.rows) {
    pairs([&](std::span<const VerifiedPair> some) {
      for (const VerifiedPair& pair : some) {
        paired_.set(pair.left);
        paired_.set(pair.right);
      }
    });
    paired_.count();
    check_contained_rows(paired_.size(), run.settings);
    std::vector<RowNumber> own;
    paired_.for_each([&](RowNumber row) {
      if (row >= run.corpus.first_own_row) {
        own.push_back(row);
      } else {
        rows_.push_back(row_id(row));
      }
    });
    fixed_ = static_cast<Place>(rows_.size());
    constexpr std::uint64_t kBytesOfRanked = 512;
    const std::uint64_t part = MemoryBudget{run.settings.memory_bytes}.batch() / kBytesOfRanked;
    sort_by_rank(run, std::max<std::uint64_t>(part, 2), own);
    for (const RowNumber row : own) rows_.push_back(row_id(row));
    place_of_.resize(rows_.size());
    for (Place place = 0; place < rows_.size(); ++place) {
      place_of_[paired_.rank(rows_[place])] = place;
    }
  }

  [[nodiscard]] Place size() const noexcept { return static_cast<Place>(rows_.size()); }
  [[nodiscard]] Place fixed() const noexcept { return fixed_; }  // items of --against
  [[nodiscard]] RowId row_of(Place place) const { return rows_[place]; }

  // The pairs, by place.
  [[nodiscard]] PairSource pairs() const {
    return [this](const std::function<void(std::span<const VerifiedPair>)>& each) {
      std::vector<VerifiedPair> block;
      pairs_([&](std::span<const VerifiedPair> some) {
        block.clear();
        for (const VerifiedPair& pair : some) {
          const Place left = place_of_[paired_.rank(pair.left)];
          const Place right = place_of_[paired_.rank(pair.right)];
          block.push_back(left < right ? VerifiedPair{left, right, pair.overlap}
                                       : VerifiedPair{right, left, pair.overlap.flipped()});
        }
        each(block);
      });
    };
  }

 private:
  const PairSource& pairs_;
  RowBits paired_;
  std::vector<RowId> rows_;      // by place
  std::vector<Place> place_of_;  // by position in paired_
  Place fixed_ = 0;
};

Decisions remove_contained_rows(SetRun& run) {
  const auto found = run.deciding_pairs("comparing");
  const PairSource pairs = source_of(*found);
  JoinedRowDecisions decisions(run, pairs);
  {
    const PairedRows paired(run, pairs);
    const PairSource of_places = paired.pairs();
    for_each_contained(star_task(run, of_places, paired.size(), paired.fixed()),
                       [&](Place item, Place survivor, const Overlap& overlap) {
                         decisions.remove(paired.row_of(item), paired.row_of(survivor), overlap);
                       });
  }
  say_what_contains(run, pairs, row_id(run.corpus.first_own_row), row_id(run.corpus.rows),
                    [&](Place row) { return decisions.kept_rows(row); });
  decisions.remove_copies();
  return decisions.finish();
}

Decisions remove_holding_rows(SetRun& run) {
  tell_of_short_items(run);
  const Measure& measure = *run.settings.measure;
  const auto found = run.pairs_across("comparing");
  const PairSource pairs = source_of(*found);
  JoinedRowDecisions decisions(run, pairs);
  SortedPairs<VerifiedPair> by_row(*run.scratch,
                                   MemoryBudget{run.settings.memory_bytes}.sorts() / 2);
  std::vector<VerifiedPair> block;
  pairs([&](std::span<const VerifiedPair> some) {
    block.clear();
    for (const VerifiedPair& pair : some) {
      if (!measure.left_reaches(pair.overlap, run.settings.threshold)) continue;
      block.push_back({pair.right, pair.left, pair.overlap});
    }
    by_row.add(block);
  });
  by_row.finish();
  VerifiedPair best{kNoRow, kNoRow, {}};
  const auto remove_best = [&] {
    if (best.left != kNoRow) decisions.remove(best.left, best.right, best.overlap);
  };
  by_row.for_each([&](const VerifiedPair& pair) {
    const bool is_first = pair.left != best.left;
    if (is_first) remove_best();
    if (is_first || measure.is_above(pair.overlap, best.overlap)) best = pair;
    return true;
  });
  remove_best();
  return decisions.finish();
}

}  // namespace

Clusters contained_clusters(SetRun& run) {
  const auto found = run.deciding_pairs("comparing");
  const PairSource pairs = source_of(*found);
  const Items& items = run.items;
  Clusters clusters = contained_star(star_task(run, pairs, items.size(), items.fixed));
  say_what_contains(run, pairs, items.fixed, items.size(), [&](Place item) {
    return clusters.survivor[item] == item ? items.copies_of(item).size() + 1 : 0;
  });
  return clusters;
}

Decisions remove_holders(SetRun& run) {
  tell_of_short_items(run);
  const Held held = find_held(run);
  const Items& items = run.items;
  std::vector<RowDecision> of_row(run.corpus.rows);
  for (RowId row = 0; row < run.corpus.rows; ++row) {
    RowDecision& decision = of_row[row];
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

Decisions decide_joined_rows(SetRun& run) {
  return run.options.contained.empty() ? remove_contained_rows(run) : remove_holding_rows(run);
}

void check_contained_rows(std::uint64_t rows, const Settings& settings) {
  constexpr std::uint64_t kBytesOfRow = 32;
  constexpr std::uint64_t kBesides = std::uint64_t{16} << 20;  // a quarter of the additional memory
  if (rows <= (settings.memory_bytes + kBesides) / kBytesOfRow) return;
  const std::string need = round_size_text(rows * kBytesOfRow - kBesides);
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"memory"},
              fmt::format("{} rows contain others or are contained: they need {}, not {}",
                          count_text(rows), need, limit_text(settings.memory_bytes)),
              fmt::format("--memory {} is enough; a higher --threshold leaves fewer", need));
}

}  // namespace sosie
