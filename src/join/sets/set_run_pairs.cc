// All similar rows of a run, matched in memory or batch by batch.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/count_text.h"
#include "core/most_rows.h"
#include "core/size_text.h"
#include "join/sets/set_run.h"
#include "join/sets/verified_pairs.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// The rows for which a pair of items in scratch stands, including copies outside the batch.
class RowsInScratch {
 public:
  // `rows`: numbers in the run of the rows in the batch.
  RowsInScratch(const SetRun& run, std::span<const RowNumber> rows) : run_(run), rows_(rows) {}
  explicit RowsInScratch(const SetRun& run) : run_(run) {}

  void add(std::span<const VerifiedPair> pairs, bool across, RowPairCollector& out) const {
    std::vector<RowPair> single;
    for (const VerifiedPair& pair : pairs) {
      if (is_one_row(pair.left) && is_one_row(pair.right)) {
        add_single(pair, across, single);
      } else {
        out.add_groups(rows_of(pair.left), rows_of(pair.right), pair.overlap);
      }
    }
    out.add_rows(single);
  }

  void add_identical(RowPairCollector& out) const {
    if (run_.joins_rows()) {
      run_.copies().leaders().for_each([&](RowNumber row) { out.add_group(rows_of(row_id(row))); });
      return;
    }
    for (Place item = 0; item < run_.items.size(); ++item) {
      if (!is_one_row(item)) out.add_group(rows_of(item));
    }
  }

 private:
  [[nodiscard]] RowNumber row_of(Place item) const {
    return run_.joins_rows() ? item : rows_[run_.items.rows[item]];
  }
  [[nodiscard]] bool is_one_row(Place item) const {
    return (run_.joins_rows() || run_.items.copies_of(item).empty()) &&
           !run_.copies().leaders().test(row_of(item));
  }

  void add_single(const VerifiedPair& pair, bool across, std::vector<RowPair>& out) const {
    const RowId left = run_.name_in_pairs(row_of(pair.left));
    const RowId right = run_.name_in_pairs(row_of(pair.right));
    const RowPair forth{left, right, pair.overlap};
    const RowPair back{right, left, pair.overlap.flipped()};
    const Measure& measure = *run_.settings.measure;
    if (!measure.is_ordered()) {
      out.push_back(across || left > right ? back : forth);
      return;
    }
    const auto reaches = [&](const RowPair& way) {
      return measure.left_reaches(way.overlap, run_.settings.threshold);
    };
    if (!across && reaches(forth)) out.push_back(forth);
    if (reaches(back)) out.push_back(back);
  }

  [[nodiscard]] std::vector<RowId> rows_of(Place item) const {
    std::vector<RowId> rows;
    const auto add_all = [&](RowNumber row) {
      rows.push_back(run_.name_in_pairs(row));
      run_.copies().for_each_copy(
          row, [&](RowNumber copy) { rows.push_back(run_.name_in_pairs(copy)); });
    };
    add_all(row_of(item));
    if (!run_.joins_rows()) {
      for (const RowId copy : run_.items.copies_of(item)) add_all(rows_[copy]);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  const SetRun& run_;
  std::span<const RowNumber> rows_ = {};
};

// Space for pairs in addition to memory, and the option that limits it.
struct PairSpace {
  std::uint64_t bytes;
  std::string told;  // "/tmp has 12.0 GB"
  std::string_view way;
};

PairSpace space_for(const Scratch& scratch, const Settings& settings) {
  std::error_code error;
  const std::uint64_t free = std::filesystem::space(scratch.folder(), error).available;  // or all
  const std::uint64_t limit = settings.scratch_limit_bytes;
  if (limit < free) {
    return {limit, "--scratch-limit is " + limit_text(limit),
            "raise --threshold or --scratch-limit, or use --top, --top-pairs or --limit"};
  }
  return {std::min(free, ~std::uint64_t{0} / 2),
          fmt::format("{} has {}", scratch.folder(), bytes_text(free)),
          "raise --threshold, or use --top, --top-pairs or --limit"};
}

// Rows with many copies may have more pairs than any disk can hold; throws before the disk is full.
void check_space(std::uint64_t pairs, const PairSpace& space, std::uint64_t in_memory) {
  if (pairs <= (space.bytes + in_memory) / sizeof(RowPair)) return;
  throw Error(ErrorKind::limit_exceeded,
              fmt::format("{} or more pairs reach the threshold: they need {} of scratch, {}",
                          count_text(pairs), bytes_text(pairs * sizeof(RowPair)), space.told),
              std::string(space.way));
}

}  // namespace

std::unique_ptr<RowPairCollector> SetRun::similar_rows(std::string_view stage) {
  const bool across = inputs.has_against();
  if (corpus.rows > most_rows() && batches_) pair_rows_ = batches_->rows_of_pairs();
  const std::uint64_t sorts = MemoryBudget{settings.memory_bytes}.sorts();
  PairSelection wanted = pair_selection(options);
  if (options.audit > 0) wanted = {.limit = wanted.limit};  // an audit counts all
  const BoundFacts facts = facts_of_sets(options, settings.lowers_threshold);
  const PairSpace space = space_for(*scratch, settings);
  const bool lists_all = options.top == 0 && options.top_pairs == 0;
  auto found = std::make_unique<RowPairCollector>(
      is_spilled() ? nullptr : &items,
      RowPairCollector::Task{.measure = settings.measure,
                             .threshold = settings.threshold,
                             .across = across,
                             .wanted = wanted,
                             .memory = {*scratch, is_spilled() ? sorts / 2 : sorts},
                             .check = [=, this](std::uint64_t pairs) {
                               if (!lists_all) return;
                               check_pair_limit(wanted, facts, pairs);
                               if (is_spilled()) check_space(pairs, space, sorts);
                             }});
  if (joins_rows()) {
    collect_pairs_of_rows(stage, across, *found);
  } else if (is_spilled()) {
    for_each_batch(
        [&](std::span<const RowNumber> rows) { collect_pairs(stage, rows, across, *found); });
    for_each_large_batch([&](std::uint32_t batch, const std::vector<RowNumber>& rows) {
      collect_pairs_of_large(stage, {batch, rows}, *found);
    });
  } else {
    find_pairs(stage, scope_of(across), wanted.all(),
               [&](std::span<const VerifiedPair> pairs) { found->add(pairs); });
  }
  if (has_checkpoint()) checkpoint->overlaps().flush();
  found->finish();
  return found;
}

PairScope SetRun::scope_of(bool across) const {
  const Place others = joins_rows() ? row_id(corpus.first_own_row) : items.fixed;
  return across ? PairScope{.left_end = others, .right_begin = others} : PairScope{};
}

void SetRun::find_pairs(std::string_view stage, PairScope scope, bool keeps_all,
                        const TakePairs& take) {
  if (cascade) {
    cascade->pairs(scope, take);
    return;
  }
  if (joins_rows()) {
    row_join_->join(scope, take, progress(stage), *row_counts_);
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
  if (verb == kPairs && tells(options, hooks)) {
    const std::uint64_t steps = most_steps(task);
    const double seconds =
        static_cast<double>(steps) * kStepSeconds / static_cast<double>(pool.size());
    hooks.on_message(
        fmt::format("--top {} without --threshold: finds the most similar rows of each row in at "
                    "most {} steps ({}); with a --threshold the run is much faster",
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
                    count_text(pairs), bytes_text(need), limit_text(settings.scratch_limit_bytes)),
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
  return sorted_pairs(stage, {.right_begin = scope_of(true).right_begin});
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

void SetRun::collect_pairs(std::string_view stage, std::span<const RowNumber> rows, bool across,
                           RowPairCollector& found) {
  const RowsInScratch of_batch(*this, rows);
  find_pairs(stage, scope_of(across), true, [&](std::span<const VerifiedPair> pairs) {
    of_batch.add(pairs, inputs.has_against(), found);
  });
  if (!across) of_batch.add_identical(found);
}

void SetRun::collect_pairs_of_rows(std::string_view stage, bool across, RowPairCollector& found) {
  const RowsInScratch of_run(*this);
  find_pairs(stage, scope_of(across), true,
             [&](std::span<const VerifiedPair> pairs) { of_run.add(pairs, across, found); });
  if (!across) of_run.add_identical(found);
}

// Compares each part with all earlier ones, or each of the run's own parts with each part of
// --against.
void SetRun::collect_pairs_of_large(std::string_view stage, const RowsOfBatch& large,
                                    RowPairCollector& found) {
  const std::span<const RowNumber> rows = large.rows;
  const std::size_t part = batches_->most_rows_at_once() / 2;
  const auto parts_of = [&](std::span<const RowNumber> whole, const auto& each) {
    for (std::size_t at = 0; at < whole.size(); at += part) {
      each(whole.subspan(at, std::min(part, whole.size() - at)), whole.first(at));
    }
  };
  const std::size_t others = batches_->count_others(rows);
  parts_of(
      rows.subspan(others), [&](std::span<const RowNumber> own, std::span<const RowNumber> before) {
        parts_of(inputs.has_against() ? rows.first(others) : before,
                 [&](std::span<const RowNumber> some, std::span<const RowNumber>) {
                   std::vector<RowNumber> both(some.begin(), some.end());
                   both.insert(both.end(), own.begin(), own.end());
                   match({large.batch, both}, static_cast<RowId>(some.size()), Order::rank,
                         [&] { collect_pairs(stage, both, true, found); });
                 });
        if (inputs.has_against()) return;
        match({large.batch, own}, 0, Order::rank, [&] { collect_pairs(stage, own, false, found); });
      });
}

}  // namespace sosie
