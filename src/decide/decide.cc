// Groups the items of a run: which row stays, and what it stands for.
#include "decide/decide.h"

#include <fmt/format.h>

#include "cluster/components.h"
#include "cluster/contained_star.h"
#include "cluster/star.h"
#include "core/count_text.h"
#include "decide/remove_holders.h"
#include "decide/spilled_decisions.h"
#include "join/sets/exact_overlap.h"
#include "join/sets/matcher.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

Clusters star(SetRun& run, bool within) {
  Matcher& matcher = *run.matcher;
  StarSteps steps;
  steps.fixed = run.items.fixed;
  steps.within = within;
  steps.prune = [&](unsigned worker, Place item, std::vector<Place>& candidates) {
    matcher.prune(worker, item, candidates);
  };
  steps.first_match = [&](unsigned worker, Place item, std::span<const Place> candidates) {
    return matcher.first_match(worker, item, candidates);
  };
  steps.count = [&](unsigned worker, std::size_t compared) {
    matcher.count_verified(worker, compared);
  };
  steps.looks_ahead = !run.choice.brute;  // else every item is a candidate of all others
  steps.progress = run.progress("comparing");
  HotBucketFilter filter(hot_bucket_rule(run.settings), sets_of(matcher), run.pool);
  if (!run.choice.finds_every_pair()) steps.hot_buckets = hot_bucket_steps(filter);
  return star_clusters(matcher.buckets(), matcher.buckets_of(), run.pool, steps);
}

// Items that reach their survivor only through others are compared with it now: what is reported is
// the similarity of the two, however small.
void compare_with_survivors(SetRun& run, Clusters& clusters) {
  std::vector<ItemPair> asked;
  for (Place item = 0; item < run.items.size(); ++item) {
    const bool open = clusters.survivor[item] != item && clusters.overlap[item].united == 0;
    if (open) asked.push_back({clusters.survivor[item], item});
  }
  const std::vector<Overlap> overlaps =
      exact_overlaps({run.inputs, run.corpus, run.items, run.settings}, asked, run.pool, run.hooks);
  for (std::size_t i = 0; i < asked.size(); ++i) clusters.overlap[asked[i].right] = overlaps[i];
}

Clusters components(SetRun& run, const PairSource& pairs) {
  Clusters clusters = component_clusters(run.items.size(), pairs, run.items.fixed);
  compare_with_survivors(run, clusters);
  return clusters;
}

// Rows go when another one contains them, and stay when they contain one of --against, as long
// documents do with short ones: who wanted these gone is told how.
void say_what_contains(const SetRun& run, const PairSource& pairs, const Clusters& clusters) {
  const Place fixed = run.items.fixed;
  if (fixed == 0 || !tells(run.options, run.hooks)) return;
  std::vector<bool> contains(run.items.size());
  pairs([&](std::span<const VerifiedPair> some) {
    for (const VerifiedPair& pair : some) {
      if (pair.left >= fixed || pair.right < fixed) continue;
      const bool holds = run.settings.measure->left_reaches(pair.overlap, run.settings.threshold);
      if (holds && clusters.survivor[pair.right] == pair.right) contains[pair.right] = true;
    }
  });
  std::uint64_t rows = 0;
  for (Place item = 0; item < contains.size(); ++item) {
    rows += contains[item] ? run.items.copies_of(item).size() + 1 : 0;
  }
  if (rows == 0) return;
  run.hooks.on_message(fmt::format(
      "kept {} that {} a row of --against: a row is removed when it is contained in another one. "
      "--contained {} in place of --measure and --threshold removes such rows",
      plural_text(rows, "row", "rows"), rows == 1 ? "contains" : "contain", run.options.threshold));
}

Clusters clusters_of(SetRun& run, ReusedFile* reused) {
  const bool chain = run.options.clustering == "components";
  const Measure& measure = *run.settings.measure;
  const Place items = run.items.size();
  if (measure.is_ordered()) {
    const std::uint64_t sorts = MemoryBudget{run.settings.memory_bytes}.sorts() / 2;
    const auto found = run.deciding_pairs("comparing");
    const PairSource pairs = source_of(*found);
    Clusters clusters = contained_star({.items = items,
                                        .pairs = pairs,
                                        .measure = measure,
                                        .threshold = run.settings.threshold,
                                        .fixed = run.items.fixed,
                                        .by_rank = is_given(run.options, "keep"),
                                        .scratch = *run.scratch,
                                        .sort_bytes = sorts});
    say_what_contains(run, pairs, clusters);
    return clusters;
  }
  if (reused == nullptr && !chain && run.matcher) return star(run, true);
  if (reused == nullptr) {
    const auto found = run.deciding_pairs("comparing");
    return chain ? components(run, source_of(*found))
                 : star_of_pairs(items, source_of(*found), run.items.fixed);
  }
  const auto pairs = reused_pairs_of_sets(reuse_source(run), *reused);
  return chain ? components(run, source_of(*pairs)) : star_of_pairs(items, source_of(*pairs));
}

// Components of pairs are found among all rows that share buckets.
void refuse_large_batches(const SetRun& run) {
  const std::uint64_t bytes = run.batches().largest_bytes();
  if (bytes == 0) return;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"clustering", "components"},
              fmt::format("rows that hang together through shared buckets "
                          "take {}M of memory",
                          (bytes >> 20) + 1),
              fmt::format("--memory {}M is enough; a higher --threshold, or longer shingles, take "
                          "templates apart",
                          (2 * bytes >> 20) + 1));
}

Decisions decide_in_batches(SetRun& run, const DecisionObserver& look) {
  if (run.options.clustering == "components") refuse_large_batches(run);
  auto spilled =
      std::make_unique<SpilledDecisions>(*run.scratch, MemoryBudget{run.settings.memory_bytes});
  run.for_each_batch([&](std::span<const RowId> rows) {
    const Decisions decisions(run.inputs, run.corpus, run.items, clusters_of(run, nullptr));
    for (RowId row = 0; row < rows.size(); ++row) {
      if (row >= run.corpus.first_own_row) record_decision(run, rows, row, decisions, *spilled);
      const std::uint64_t group = decisions.group_rows(row);
      if (group >= 2) spilled->add_group(rows[row], group);
    }
    if (look.at_batch) look.at_batch(decisions, rows);
  });
  run.for_each_large_batch([&](std::vector<RowId> rows) {
    const LargeComponent large = decide_large_component(run, std::move(rows), star, *spilled);
    if (look.at_large) look.at_large(large);
  });
  spilled->finish(run.corpus.rows);
  return {run.inputs, run.corpus, std::move(spilled)};
}

// Counted from the texts.
std::vector<Score> scores_of(SetRun& run, std::span<const ReusedFile::Removal> removals) {
  std::vector<ItemPair> asked;
  asked.reserve(removals.size());
  for (const auto& [row, survivor] : removals) {
    asked.push_back({run.items.place_of[row], run.items.place_of[survivor]});
  }
  const std::vector<Overlap> overlaps =
      exact_overlaps({run.inputs, run.corpus, run.items, run.settings}, asked, run.pool, run.hooks);
  std::vector<Score> scores;
  scores.reserve(overlaps.size());
  for (const Overlap& overlap : overlaps) scores.emplace_back(overlap);
  return scores;
}

}  // namespace

ReuseSource reuse_source(const SetRun& run) {
  return {run.options, run.settings, run.hooks, *run.scratch, run.inputs, run.corpus, run.items};
}

Decisions decide(SetRun& run, ReusedFile* reused, const DecisionObserver& look) {
  if (run.is_spilled()) return decide_in_batches(run, look);
  const bool decided = reused != nullptr && !reused->holds_pairs();
  const ReusedFile::ScoreRemovals score = [&](std::span<const ReusedFile::Removal> removals) {
    return scores_of(run, removals);
  };
  const auto decisions_of_run = [&]() -> Decisions {
    if (!run.options.contained.empty()) return remove_holders(run);
    if (decided) return {run.inputs, run.corpus, reused->decisions(score)};
    return {run.inputs, run.corpus, run.items, clusters_of(run, reused)};
  };
  Decisions decisions = decisions_of_run();
  if (look.at_batch) look.at_batch(decisions, {});
  return decisions;
}

}  // namespace sosie
