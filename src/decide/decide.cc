// Groups the items of a run and decides which rows survive. Components that do not fit in memory
// are clustered window by window.
#include "decide/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "cluster/components.h"
#include "cluster/star.h"
#include "core/count_text.h"
#include "core/keep_best.h"
#include "core/most_rows.h"
#include "core/size_text.h"
#include "decide/contained_clusters.h"
#include "decide/sort_by_rank.h"
#include "join/sets/exact_overlap.h"
#include "join/sets/matcher.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::size_t kLargestGroups = 20;  // number of groups that the report shows

class WindowedStar {
 public:
  WindowedStar(SetRun& run, std::uint32_t batch, const StarOfRun& star, SpilledDecisions& out)
      : run_(run), batch_(batch), star_(star), out_(out) {}

  LargeComponent decide(std::vector<RowNumber> rows) {
    const SpilledCopies& copies = run_.copies();
    const RowId others = run_.batches().count_others(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint64_t same = 1 + copies.copies_of(rows[i]);
      result_.rows += same;
      if (i >= others) result_.own_rows += same;
    }
    survivors_.assign(rows.begin(), rows.begin() + others);
    group_rows_.assign(survivors_.size(), 1);
    rows.erase(rows.begin(), rows.begin() + others);
    sort_by_rank(run_, run_.batches().most_rows_at_once(), rows);
    const std::size_t most = std::max<std::size_t>(run_.batches().most_rows_at_once() / 2, 1);
    for (std::size_t at = 0; at < rows.size(); at += most) {
      const auto window = std::span(rows).subspan(at, std::min(most, rows.size() - at));
      std::vector<RowNumber> open(window.begin(), window.end());
      const std::size_t earlier = survivors_.size();
      for (std::size_t i = 0; i < earlier && !open.empty(); i += most) {
        settle(i, std::min(most, earlier - i), open);
      }
      settle(earlier, 0, open);
    }
    result_.survivors = survivors_.size();
    record_groups();
    return std::move(result_);
  }

 private:
  // Compares open rows with `count` survivors, starting at `first`, and keeps open those that
  // resemble none of them. When there are no more survivors, compares the open rows with each
  // other; those that remain become survivors.
  void settle(std::size_t first, std::size_t count, std::vector<RowNumber>& open) {
    std::vector<RowNumber> rows(survivors_.begin() + static_cast<std::ptrdiff_t>(first),
                                survivors_.begin() + static_cast<std::ptrdiff_t>(first + count));
    rows.insert(rows.end(), open.begin(), open.end());
    open.clear();
    run_.match({batch_, rows}, static_cast<RowId>(count), SetRun::Order::rank, [&] {
      const bool within = count == 0;
      const Decisions decisions(run_.inputs, run_.corpus, run_.items, star_(run_, within),
                                run_.pool);
      for (RowId row = 0; row < count; ++row) {
        const std::uint64_t all = group_rows_[first + row] + decisions.group_rows(row) - 1;
        check_rows_of_group(all);
        group_rows_[first + row] = static_cast<std::uint32_t>(all);
      }
      for (auto row = static_cast<RowId>(count); row < rows.size(); ++row) {
        const RowNumber survivor = decisions.of(row).survivor;  // in this matching
        if (!within && survivor >= count) {
          open.push_back(rows[row]);
          continue;
        }
        record_decision(run_, rows, row, decisions, out_);
        if (survivor != row) continue;
        survivors_.push_back(rows[row]);
        group_rows_.push_back(static_cast<std::uint32_t>(decisions.group_rows(row)));
      }
    });
  }

  void record_groups() {
    using Group = std::pair<std::uint32_t, RowNumber>;
    std::vector<Group> largest;
    const auto better = [](const Group& a, const Group& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    };
    for (std::size_t i = 0; i < survivors_.size(); ++i) {
      if (group_rows_[i] < 2) continue;
      out_.add_group(survivors_[i], group_rows_[i]);
      largest.emplace_back(group_rows_[i], survivors_[i]);
      if (largest.size() == 64 * kLargestGroups) keep_best(largest, kLargestGroups, better);
    }
    keep_best(largest, kLargestGroups, better);
    for (const Group& group : largest) result_.largest.push_back(group.second);
  }

  SetRun& run_;
  std::uint32_t batch_;
  const StarOfRun& star_;
  SpilledDecisions& out_;
  LargeComponent result_;
  std::vector<RowNumber> survivors_;  // in rank order
  std::vector<std::uint32_t> group_rows_;
};

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
  steps.looks_ahead = !run.choice.brute;  // otherwise, every item is a candidate for all others
  steps.progress = run.progress("comparing");
  HotBucketFilter filter(hot_bucket_rule(run.settings), sets_of(matcher), run.pool);
  if (!run.choice.finds_every_pair()) steps.hot_buckets = hot_bucket_steps(filter);
  return star_clusters(matcher.buckets(), matcher.buckets_of(), run.pool, steps);
}

// Compares items that are connected to their survivor only through other items with the survivor:
// the reported similarity is that of the two, however low.
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

Clusters clusters_of(SetRun& run, ReusedFile* reused) {
  const bool chain = run.options.clustering == "components";
  const Place items = run.items.size();
  if (run.settings.measure->is_ordered()) return contained_clusters(run);
  if (reused == nullptr && !chain && run.matcher) return star(run, true);
  if (reused == nullptr) {
    const auto found = run.deciding_pairs("comparing");
    return chain ? components(run, source_of(*found))
                 : star_of_pairs(items, source_of(*found), run.items.fixed);
  }
  const auto pairs = reused_pairs_of_sets(reuse_source(run), *reused);
  return chain ? components(run, source_of(*pairs)) : star_of_pairs(items, source_of(*pairs));
}

// Components of pairs must be found among all rows that share buckets.
void refuse_large_batches(const SetRun& run) {
  const std::uint64_t bytes = run.batches().largest_bytes();
  if (bytes == 0) return;
  throw Error(
      ErrorKind::limit_exceeded, RefusedOption{"clustering", "components"},
      fmt::format("rows connected through shared buckets take {} of memory", bytes_text(bytes)),
      fmt::format(
          "--memory {} is enough; a higher --threshold, or longer shingles, keep templates apart",
          round_size_text(2 * bytes)));
}

Decisions decide_in_batches(SetRun& run, const DecisionObserver& look) {
  if (run.options.clustering == "components") refuse_large_batches(run);
  auto spilled =
      std::make_unique<SpilledDecisions>(*run.scratch, MemoryBudget{run.settings.memory_bytes});
  run.for_each_batch([&](std::span<const RowNumber> rows) {
    const Decisions decisions(run.inputs, run.corpus, run.items, clusters_of(run, nullptr),
                              run.pool);
    for (RowId row = 0; row < rows.size(); ++row) {
      if (row >= run.corpus.first_own_row) record_decision(run, rows, row, decisions, *spilled);
      const std::uint64_t group = decisions.group_rows(row);
      if (group >= 2) spilled->add_group(rows[row], group);
    }
    if (look.at_batch) look.at_batch(decisions, rows);
  });
  run.for_each_large_batch([&](std::uint32_t batch, std::vector<RowNumber> rows) {
    const LargeComponent large =
        decide_large_component(run, batch, std::move(rows), star, *spilled);
    if (look.at_large) look.at_large(large);
  });
  spilled->finish(run.corpus.rows);
  return {run.inputs, run.corpus, std::move(spilled)};
}

// Scores computed from the texts.
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

void record_decision(const SetRun& run, std::span<const RowNumber> rows, RowId row,
                     const Decisions& decisions, SpilledDecisions& out) {
  Decision decision = decisions.of(row);
  const bool removed = decision.survivor != row;
  decision.survivor = rows[decision.survivor];
  if (removed) out.add_removed(rows[row], decision);
  if (!removed) decision.identical = true;  // like its copies
  run.copies().for_each_copy(rows[row], [&](RowNumber copy) { out.add_removed(copy, decision); });
}

LargeComponent decide_large_component(SetRun& run, std::uint32_t batch, std::vector<RowNumber> rows,
                                      const StarOfRun& star, SpilledDecisions& decisions) {
  return WindowedStar(run, batch, star, decisions).decide(std::move(rows));
}

ReuseSource reuse_source(const SetRun& run) {
  return {run.options, run.settings, run.hooks, *run.scratch, run.inputs, run.corpus, run.items};
}

Decisions decide(SetRun& run, ReusedFile* reused, const DecisionObserver& look) {
  if (run.joins_rows()) return decide_joined_rows(run);
  if (run.is_spilled()) return decide_in_batches(run, look);
  const bool decided = reused != nullptr && !reused->holds_pairs();
  const ReusedFile::ScoreRemovals score = [&](std::span<const ReusedFile::Removal> removals) {
    return scores_of(run, removals);
  };
  const auto decisions_of_run = [&]() -> Decisions {
    if (!run.options.contained.empty()) return remove_holders(run);
    if (decided) return {run.inputs, run.corpus, reused->decisions(score)};
    return {run.inputs, run.corpus, run.items, clusters_of(run, reused), run.pool};
  };
  Decisions decisions = decisions_of_run();
  if (look.at_batch) look.at_batch(decisions, {});
  return decisions;
}

}  // namespace sosie
