// All similar rows of a run, matched in memory or batch by batch.
#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "join/sets/set_run.h"
#include "join/sets/verified_pairs.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The rows of a batch that a pair of its items stands for, copies in scratch included.
class BatchRows {
 public:
  // `rows`: what the rows of the batch are called in the run.
  BatchRows(const Items& items, std::span<const RowId> rows, const SpilledCopies& copies)
      : items_(items), rows_(rows), copies_(copies) {}

  void add(std::span<const VerifiedPair> pairs, bool across, RowPairCollector& out) const {
    std::vector<RowPair> single;
    for (const VerifiedPair& pair : pairs) {
      if (is_one_row(pair.left) && is_one_row(pair.right)) {
        single.push_back(pair_of_rows(pair, across));
      } else {
        out.add_groups(rows_of(pair.left), rows_of(pair.right), pair.overlap);
      }
    }
    out.add_rows(single);
  }

  void add_identical(RowPairCollector& out) const {
    for (Place item = 0; item < items_.size(); ++item) {
      if (!is_one_row(item)) out.add_group(rows_of(item));
    }
  }

 private:
  [[nodiscard]] bool is_one_row(Place item) const {
    return items_.copies_of(item).empty() && !copies_.leaders().test(rows_[items_.rows[item]]);
  }

  [[nodiscard]] RowPair pair_of_rows(const VerifiedPair& pair, bool across) const {
    const RowId left = rows_[items_.rows[pair.left]];
    const RowId right = rows_[items_.rows[pair.right]];
    const bool swapped = across || left > right;
    return swapped ? RowPair{right, left, pair.overlap.flipped()}
                   : RowPair{left, right, pair.overlap};
  }

  [[nodiscard]] std::vector<RowId> rows_of(Place item) const {
    std::vector<RowId> rows;
    const auto add_all = [&](RowId row) {
      rows.push_back(rows_[row]);
      copies_.for_each_copy(rows_[row], [&](RowId copy) { rows.push_back(copy); });
    };
    add_all(items_.rows[item]);
    for (const RowId copy : items_.copies_of(item)) add_all(copy);
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  const Items& items_;
  std::span<const RowId> rows_;
  const SpilledCopies& copies_;
};

}  // namespace

std::unique_ptr<RowPairCollector> SetRun::similar_rows(std::string_view stage) {
  const bool across = inputs.has_against();
  const std::uint64_t sorts = MemoryBudget{settings.memory_bytes}.sorts();
  PairSelection wanted = pair_selection(options);
  if (options.audit > 0) wanted = {.limit = wanted.limit};  // an audit counts all
  const BoundFacts facts = facts_of_sets(options, settings.lowers_threshold);
  const bool lists_all = options.top == 0 && options.top_pairs == 0;
  auto found = std::make_unique<RowPairCollector>(
      is_spilled() ? nullptr : &items,
      RowPairCollector::Task{.measure = settings.measure,
                             .threshold = settings.threshold,
                             .across = across,
                             .wanted = wanted,
                             .memory = {*scratch, is_spilled() ? sorts / 2 : sorts},
                             .check = [=](std::uint64_t pairs) {
                               if (lists_all) check_pair_limit(wanted, facts, pairs);
                             }});
  if (is_spilled()) {
    for_each_batch(
        [&](std::span<const RowId> rows) { collect_pairs(stage, rows, across, *found); });
    for_each_large_batch(
        [&](const std::vector<RowId>& rows) { collect_pairs_of_large(stage, rows, *found); });
  } else {
    find_pairs(stage, scope_of(across), wanted.all(),
               [&](std::span<const VerifiedPair> pairs) { found->add(pairs); });
  }
  if (has_checkpoint()) checkpoint->overlaps().flush();
  found->finish();
  return found;
}

PairScope SetRun::scope_of(bool across) const {
  return across ? PairScope{.left_end = items.fixed, .right_begin = items.fixed} : PairScope{};
}

void SetRun::find_pairs(std::string_view stage, PairScope scope, bool keeps_all,
                        const TakePairs& take) {
  if (cascade) {
    cascade->pairs(scope, take);
    return;
  }
  if (!exact) {
    verified_pairs(*this, scope, take, progress(stage));
    return;
  }
  if (settings.lowers_threshold && options.top > 0 && exact->sets() != nullptr) {
    find_top(stage, take);
    return;
  }
  std::function<void(std::uint64_t)> foretell;
  if (keeps_all) foretell = [this](std::uint64_t pairs) { foretell_pairs(pairs); };
  exact->pairs(scope, take, progress(stage), foretell);
}

void SetRun::find_top(std::string_view stage, const TakePairs& take) {
  constexpr double kStepSeconds = 1.5e-9;
  const TopRows task{.sets = *exact->sets(),
                     .items = items,
                     .measure = *settings.measure,
                     .across = inputs.has_against(),
                     .most = options.top};
  if (verb == "pairs" && tells(options, hooks)) {
    const std::uint64_t steps = most_steps(task);
    const double seconds =
        static_cast<double>(steps) * kStepSeconds / static_cast<double>(pool.size());
    hooks.on_message(fmt::format(
        "--top {} without --threshold: the most similar of each row, at most {} steps ({}); a "
        "--threshold is much faster",
        options.top, count_text(steps),
        seconds < 0.1 ? "less than 0.1 s" : fmt::format("about {:.1f} s", seconds)));
  }
  const std::uint64_t sorts = MemoryBudget{settings.memory_bytes}.sorts() / 2;
  const TopRowCounts counts = find_top_rows(task, pool, {*scratch, sorts}, take, progress(stage));
  top_counts_.candidates += counts.candidates;
  top_counts_.verified += counts.verified;
}

void SetRun::foretell_pairs(std::uint64_t pairs) const {
  const std::uint64_t need = pairs * sizeof(VerifiedPair);
  if (need <= MemoryBudget{settings.memory_bytes}.sorts()) return;
  if (need > settings.scratch_limit_bytes) {
    throw Error(
        ErrorKind::limit_exceeded,
        fmt::format("about {} pairs reach the threshold: they need {} of scratch, "
                    "--scratch-limit is {}",
                    count_text(pairs), bytes_text(need), bytes_text(settings.scratch_limit_bytes)),
        "raise --threshold, or --memory or --scratch-limit");
  }
  if (!tells(options, hooks)) return;
  hooks.on_message(
      fmt::format("about {} pairs reach the threshold; raise it, or use --top or "
                  "--limit, if that is too many",
                  count_text(pairs)));
}

std::unique_ptr<SortedPairs<VerifiedPair>> SetRun::pairs_across(std::string_view stage) {
  return sorted_pairs(stage, scope_of(true));
}

std::unique_ptr<SortedPairs<VerifiedPair>> SetRun::deciding_pairs(std::string_view stage) {
  return sorted_pairs(stage, {.right_begin = items.fixed});
}

std::unique_ptr<SortedPairs<VerifiedPair>> SetRun::sorted_pairs(std::string_view stage,
                                                                PairScope scope) {
  auto found = std::make_unique<SortedPairs<VerifiedPair>>(
      *scratch, MemoryBudget{settings.memory_bytes}.sorts());
  find_pairs(stage, scope, true, [&](std::span<const VerifiedPair> pairs) { found->add(pairs); });
  if (exact && options.pairs.empty()) exact->forget_sets();  // --pairs joins once more
  found->finish();
  return found;
}

void SetRun::collect_pairs(std::string_view stage, std::span<const RowId> rows, bool across,
                           RowPairCollector& found) {
  const BatchRows of_batch(items, rows, batches_->copies());
  find_pairs(stage, scope_of(across), true, [&](std::span<const VerifiedPair> pairs) {
    of_batch.add(pairs, inputs.has_against(), found);
  });
  if (!across) of_batch.add_identical(found);
}

// Part by part, each with those before it; or each part of the run's own with each of --against.
void SetRun::collect_pairs_of_large(std::string_view stage, std::span<const RowId> rows,
                                    RowPairCollector& found) {
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
                     [&] { collect_pairs(stage, both, true, found); });
             });
    if (inputs.has_against()) return;
    match(own, 0, Order::rank, [&] { collect_pairs(stage, own, false, found); });
  });
}

}  // namespace sosie
