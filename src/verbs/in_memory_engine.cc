// Engine for items in memory: vectors, bit strings, strings.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>

#include "core/count_text.h"
#include "core/mix64.h"
#include "corpus/count_inputs.h"
#include "corpus/identical.h"
#include "corpus/items/equal_groups.h"
#include "corpus/rank_rows.h"
#include "data/kinds.h"
#include "decide/item_audit.h"
#include "decide/ranked_star.h"
#include "decide/reuse.h"
#include "join/hashed_join.h"
#include "join/in_memory_joiner.h"
#include "join/part_join.h"
#include "join/saved_join.h"
#include "join/sets/set_run.h"
#include "options/tells.h"
#include "report/describe_items.h"
#include "report/explain_items.h"
#include "sosie/error.h"
#include "store/run/item_checkpoint.h"
#include "verbs/engine.h"
#include "verbs/item_expectations.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// Number of batches in a run with a checkpoint whose rows are hashed. Each batch has a cost
// proportional to the number of all rows.
constexpr Place kSavedBatches = 16;

// Growth factor of batches if the cost of comparing them depends on their rows. Near copies of an
// item that is new in a batch are compared with each other, so the factor should not be much
// larger.
constexpr Place kGrowthByRow = 8;

class InMemoryEngine final : public Engine {
 public:
  InMemoryEngine(std::unique_ptr<InMemoryJoiner> joiner, VerbBit verb, const Options& options,
                 const RunHooks& hooks)
      : joiner_(std::move(joiner)),
        verb_(verb),
        options_(options),
        hooks_(hooks),
        settings_(joiner_->settings()),
        facts_(joiner_->bound().facts),
        pool_(settings_.threads, hooks.cancel) {
    if (settings_.ranks_by_length() && !joiner_->compared_text()) {
      refuse_ranks_by_length(options);
    }
    checkpoint_ = open_item_checkpoint(options);
    joiner_->read(pool_, hooks_, places_);
    numbers_ = ItemNumbers(row_id(places_.corpus.rows), joiner_->left_out());
    places_.inputs.own_names = &joiner_->own_ids();
    places_.inputs.against_names = &joiner_->other_ids();
    if (verb_ == kDedup) reused_ = open_reused(reuse_source());
  }

  [[nodiscard]] const Settings& settings() const override { return settings_; }
  [[nodiscard]] const BoundFacts& facts() const override { return facts_; }
  [[nodiscard]] ThreadPool& pool() override { return pool_; }
  [[nodiscard]] Scratch& scratch() override { return *places_.scratch; }
  [[nodiscard]] const Inputs& inputs() const override { return places_.inputs; }
  [[nodiscard]] const Corpus& corpus() const override { return places_.corpus; }

  void prepare() override {
    const std::uint64_t audit = options_.audit > 0 ? kAuditRowBytes : 0;
    const bool groups = verb_ == kDedup || verb_ == kExplain;
    if (hooks_.on_progress) hooks_.on_progress({"indexing", 0, 0});
    joiner_->prepare({audit + (groups ? kDedupRowBytes : 0),
                      audit + (groups ? kDedupRowBytes : kEqualItemBytes), options_.audit > 0,
                      reused_ != nullptr});
    if (checkpoint_) begin_checkpoint();
  }

  [[nodiscard]] Decisions decide() override {
    const Corpus& corpus = places_.corpus;
    collapse();
    if (!options_.parts.empty()) take_parts();
    if (reused_ && !reused_->holds_pairs()) {
      return {places_.inputs, corpus, reused_->decisions(scores_of_removals())};
    }
    if (!reused_) tell_of_checks(telling());
    const RankedClusters clusters = reused_ ? cluster_reused() : cluster();
    pairs_measured_ += clusters.measured;
    return {places_.inputs,
            corpus,
            items_,
            clusters.survivor,
            [&](Place place) { return Score(clusters.value[place]); },
            pool_};
  }

  // Pairs of distinct items, which stand for equal ones, by the joiner's rows.
  [[nodiscard]] PartVerdicts match_part(const MatchPart& part) override {
    prepare();
    collapse();
    std::vector<Place> all(items_.size());
    std::iota(all.begin(), all.end(), Place{0});
    PartVerdicts verdicts;
    if (all.empty()) return verdicts;
    const std::vector<RowId> rows = rows_of(all);
    std::mutex mutex;
    joiner_->find_part(rows, {part.index, part.count}, [&](std::span<const ScoredPair> pairs) {
      const std::lock_guard lock(mutex);
      for (const ScoredPair& pair : pairs) {
        const auto [left, right] = std::minmax(rows[pair.left], rows[pair.right]);
        if (std::isnan(pair.value)) {
          verdicts.far_pairs.push_back({left, right, 0});
        } else {
          verdicts.pairs.push_back({left, right, pair.value});
        }
      }
      check_memory_of_pairs(options_.part, verdicts.pairs.size() + verdicts.far_pairs.size(),
                            sizeof(SavedPair), settings_.memory_bytes);
    });
    for (auto* pairs : {&verdicts.pairs, &verdicts.far_pairs}) sort_pairs(*pairs);
    return verdicts;
  }

  [[nodiscard]] double value(RowNumber row, const Decision& decision) const override {
    if (decision.is_same(row)) return facts_.is_similarity ? 1 : 0;
    return decision.score.value();
  }

  void list_pairs(PairOrder order, const EachPairs& each) override {
    if (options_.audit > 0 && verb_ != kDedup) {
      audit_.emplace(audited(sides().right.value_or(sides().left)));
    }
    PairSink sink(options_, facts_, order, {scratch(), settings_.memory_bytes / 8},
                  [&](std::span<const ScoredPair> pairs) {
                    for (const ScoredPair& pair : pairs) {
                      if (audit_) audit_->add_reported(pair.left, pair.right);
                    }
                    hand_over(pairs, each);
                  });
    find_pairs(sink);
    sink.finish();
  }

  // The reported pairs: each removed row with its survivor.
  [[nodiscard]] AuditFacts audit(const Decisions& decisions) override {
    const Corpus& corpus = places_.corpus;
    audit_.emplace(audited({0, items()}));
    for (RowNumber row = corpus.first_own_row; row < corpus.rows; ++row) {
      const RowNumber survivor = decisions.of(row).survivor;
      if (survivor == row || survivor == kNoRowNumber) continue;
      audit_->add_reported(item_of(row_id(row)), item_of(row_id(survivor)));
    }
    return audit_->measure();
  }
  [[nodiscard]] AuditFacts audit_pairs() override { return audit_->measure(); }

  [[nodiscard]] RunSummary summarize() override {
    const JoinFacts facts = joiner_->facts();
    RunSummary summary;
    summary.verb = verb_;
    summary.kind = options_.kind;
    summary.dimension = facts.dimension;
    summary.components = facts.components;
    summary.measure = facts_.measure;
    summary.threshold = facts_.bound;
    summary.is_similarity = facts_.is_similarity;
    summary.recall = options_.recall;
    summary.seed = settings_.seed;
    summary.method = facts.method;
    if (reused_) summary.method = {.reused = options_.reuse.front()};
    summary.threads = settings_.threads;
    summary.candidates = pairs_measured_;
    summary.verified = pairs_measured_;
    count_inputs(places_.inputs, places_.corpus, summary);
    measure(summary);
    return summary;
  }

  void measure(RunSummary& summary) const override {
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    summary.peak_bytes = peak_memory_bytes();
    summary.scratch_bytes = places_.scratch->peak_bytes();
  }

  [[nodiscard]] std::string line_of(RowNumber row) override {
    const auto text = joiner_->compared_text();
    return text ? text(item_of(row_id(row))) : std::string{};
  }
  [[nodiscard]] TextOfRow compared_text() const override {
    const auto text = joiner_->compared_text();
    if (!text || options_.clean == "none") return {};
    return [this, text](RowNumber row) { return text(item_of(row_id(row))); };
  }

  [[nodiscard]] bool takes_part(RowNumber row) const override {
    return items_.place_of[row] != kNoPlace;
  }
  void explain(RowNumber left_row, RowNumber right_row, Explanation& e) override {
    const RowId left = row_id(left_row);
    const RowId right = row_id(right_row);
    e.same_text = takes_part(left) && items_.place_of[left] == items_.place_of[right];
    const ExplainedItems pair{item_if_any(left), item_if_any(right)};
    if (pair.left && pair.right) explain_texts(*joiner_, places_, left, right, pair, e);
    tell_of_long_value(telling(), pair.left, pair.right);
    e.item = item_name(options_.kind);
    e.nothing = fmt::format("a row without a {}", part_name(options_.kind));
    explain_items(*joiner_, pair, e);
  }
  [[nodiscard]] ItemInFull in_full(RowNumber row) override {
    return item_in_full(*joiner_, numbers_, item_if_any(row_id(row)));
  }

  void describe(const ReportSource& source, ReportPage& page) override {
    describe_items(options_, source, page);
  }

  void require_unchanged() const override {
    if (checkpoint_) checkpoint_->pairs().flush();
    sosie::require_unchanged(places_.inputs);
    if (reused_) reused_->require_unchanged();
  }
  [[nodiscard]] std::string keep_progress() override {
    if (!checkpoint_ || !checkpoint_->has_begun()) return {};
    checkpoint_->pairs().flush();
    return checkpoint_->pairs().joins() > 0 ? options_.checkpoint : std::string{};
  }

 private:
  void begin_checkpoint() {
    const auto tell = [this](const std::string& message) {
      if (tells(options_, hooks_)) hooks_.on_message(message);
    };
    checkpoint_->begin(options_, places_.inputs,
                       {hash_of_items(*joiner_, items()), joiner_->facts().method.line});
    saved_join_.emplace(*joiner_, checkpoint_->pairs(), pool_, scratch(),
                        settings_.memory_bytes / 16);
    if (joiner_->is_nearest()) tell("--checkpoint: a run with --top alone cannot save progress");
    if (const std::size_t joins = checkpoint_->pairs().joins(); joins > 0) {
      tell(fmt::format("resuming from {}: {} of the comparison {} already done",
                       options_.checkpoint, plural_text(joins, "part", "parts"),
                       joins == 1 ? "is" : "are"));
    }
  }

  void collapse() {
    const std::vector<RowId> ranked = rank_rows(places_.corpus, settings_);
    items_ = collapse_under_leaders(places_.corpus, ranked,
                                    leaders_by_bytes(ranked.size(), [&](std::size_t i) {
                                      return joiner_->bytes_of(item_of(ranked[i]));
                                    }));
  }

  // A part may have measured any of several equal items; here, the pair is assigned to the item
  // that stands for them.
  void take_parts() {
    std::optional<PartVerdicts> parts =
        read_parts(options_.parts, subject_of(*options_.sketches), settings_.memory_bytes);
    if (!parts) {
      if (tells(options_, hooks_)) {
        hooks_.on_message(
            fmt::format("--parts {}: parts do not fit in --memory, so all rows are matched again",
                        options_.parts));
      }
      return;
    }
    const auto lead = [&](std::vector<SavedPair>& pairs) {
      for (SavedPair& pair : pairs) {
        const RowId left = leader_of(pair.left);
        const RowId right = leader_of(pair.right);
        pair = {std::min(left, right), std::max(left, right), pair.value};
      }
      sort_pairs(pairs);
    };
    lead(parts->pairs);
    lead(parts->far_pairs);
    check_pairs(parts->pairs, true);
    check_pairs(parts->far_pairs, false);
    part_join_.emplace(parts->pairs, parts->far_pairs, items());
  }

  // Remeasures every sixteenth pair. Throws if a part's value differs, or if a value is on the
  // wrong side of the bound. Values that are compared as whole numbers may differ from the bound in
  // the last digits.
  void check_pairs(std::span<const SavedPair> pairs, bool reach) {
    constexpr std::size_t kPairsATask = 4096;
    constexpr std::uint64_t kOneIn = 16;
    const double bound = joiner_->bound().bound.value();
    const double slack = 1e-5 * (1 + std::abs(bound));
    const auto is_right = [&](const SavedPair& pair) {
      if (pair.left == pair.right) return false;
      const double beyond = facts_.is_similarity ? pair.value - bound : bound - pair.value;
      if (reach && beyond < -slack) return false;
      if (mix64(std::uint64_t{pair.left} << 32 | pair.right) % kOneIn != 0) return true;
      const std::optional<double> value = joiner_->measure(pair.left, pair.right);
      return value.has_value() == reach && value.value_or(0) == pair.value;
    };
    std::atomic<bool> are_right = true;
    const std::size_t tasks = (pairs.size() + kPairsATask - 1) / kPairsATask;
    pool_.for_each(tasks, [&](unsigned /*worker*/, std::size_t task) {
      const std::size_t begin = task * kPairsATask;
      const auto some = pairs.subspan(begin, std::min(kPairsATask, pairs.size() - begin));
      if (!std::all_of(some.begin(), some.end(), is_right)) are_right = false;
    });
    if (are_right) return;
    throw Error(ErrorKind::malformed_input, options_.parts + ": does not match the items",
                "recreate the parts");
  }

  [[nodiscard]] RowId leader_of(RowId item) const {
    const RowId row = numbers_.are_rows() ? item : numbers_.row_of(item);
    return item_at(items_.place_of[row]);
  }

  // Equal items have the same pairs as the item that stands for them.
  std::uint64_t find_in_parts(std::span<const RowId> rows, std::size_t split,
                              const EachPairs& each) {
    std::vector<RowId> leaders(rows.size());
    std::transform(rows.begin(), rows.end(), leaders.begin(),
                   [this](RowId row) { return leader_of(row); });
    return part_join_->find(leaders, split, each);
  }

  std::uint64_t find(std::span<const RowId> rows, std::size_t split, const EachPairs& each) {
    if (part_join_) return find_in_parts(rows, split, each);
    return saved_join_ ? saved_join_->find(rows, split, each) : joiner_->find(rows, split, each);
  }

  [[nodiscard]] const JoinSides& sides() const { return joiner_->sides(); }
  [[nodiscard]] ItemExpectations telling() { return {*joiner_, options_, hooks_}; }

  [[nodiscard]] RowId items() const {
    return static_cast<RowId>(places_.corpus.rows - joiner_->left_out().size());
  }
  [[nodiscard]] RowId item_of(RowId row) const { return numbers_.item_of(row); }
  [[nodiscard]] std::optional<RowId> item_if_any(RowId row) const {
    return takes_part(row) ? std::optional(item_of(row)) : std::nullopt;
  }
  void hand_over(std::span<const ScoredPair> pairs, const EachPairs& each) const {
    if (numbers_.are_rows()) {
      each(pairs);
      return;
    }
    std::vector<ScoredPair> block(pairs.begin(), pairs.end());
    for (ScoredPair& pair : block) {
      pair.left = numbers_.row_of(pair.left);
      pair.right = numbers_.row_of(pair.right);
    }
    each(block);
  }

  [[nodiscard]] ReuseSource reuse_source() {
    return {options_, settings_, hooks_, scratch(), places_.inputs, places_.corpus, items_};
  }

  [[nodiscard]] ReusedFile::ScoreRemovals scores_of_removals() {
    return [this](std::span<const ReusedFile::Removal> removals) {
      std::vector<Score> scores;
      scores.reserve(removals.size());
      for (const auto& [row, survivor] : removals) {
        scores.emplace_back(joiner_->value(item_of(row), item_of(survivor)));
      }
      pairs_measured_ += removals.size();
      return scores;
    };
  }

  // Remeasures the pairs of an earlier run.
  [[nodiscard]] RankedClusters cluster_reused() {
    const auto measure = [this](Place a, Place b) {
      return joiner_->measure(item_at(a), item_at(b));
    };
    const auto value = [this](Place a, Place b) {
      ++pairs_measured_;
      return joiner_->value(item_at(a), item_at(b));
    };
    return reused_clusters_of_items(reuse_source(), *reused_, {value, measure}, pool_);
  }

  [[nodiscard]] RowId item_at(Place place) const { return item_of(items_.rows[place]); }
  [[nodiscard]] std::function<double(Place, Place)> value_of_removal() const {
    return [this](Place survivor, Place removed) {
      return joiner_->value(item_at(survivor), item_at(removed));
    };
  }

  [[nodiscard]] AuditedRun audited(const RowRange& partners) {
    return audited_join(*joiner_, {options_, hooks_, pool_}, partners);
  }

  void find_pairs(PairSink& sink) {
    const EachPairs add = [&](std::span<const ScoredPair> pairs) { sink.add(pairs); };
    if (sides().is_nothing()) return;
    if (joiner_->is_nearest()) {
      // The best pairs overall are among the best pairs of each left row.
      const std::uint64_t partners = sides().right.value_or(sides().left).size();
      const std::uint64_t most = std::min(pair_selection(options_).most_equal(), partners);
      pairs_measured_ += joiner_->find_nearest(most, above_zero(facts_, add));
      return;
    }
    tell_of_pairs(telling());
    const auto bytes_of = [this](std::size_t row) { return joiner_->bytes_of(row); };
    const bool as_groups = saved_join_ || joiner_->hashes() ||
                           (!joiner_->collapses_copies() && are_mostly_copies(items(), bytes_of));
    const auto is_better = IsNearer{facts_.is_similarity};
    pairs_measured_ +=
        as_groups ? find_of_different(sink)
                  : joiner_->find_all(
                        prune_unwanted<ScoredPair>(pair_selection(options_), is_better), add);
  }

  // Joins only distinct items; each one stands for its copies.
  std::uint64_t find_of_different(PairSink& sink) {
    const HashedJoin join{
        .sides = sides(),
        .bytes_of = [this](std::size_t row) { return joiner_->bytes_of(row); },
        .join = [this](std::span<const RowId> rows, std::size_t split,
                       const EachPairs& each) { return find(rows, split, each); },
        .measure = [this](RowId left, RowId right) { return joiner_->measure(left, right); },
        .scratch = &scratch(),
        .sort_bytes = joiner_->sort_bytes()};
    return join_hashed(join, options_, facts_, sink);
  }

  // The pairs between `lefts` and `rights`, or within `lefts` if there are no rights, as sorted
  // positions in these lists. Returns the number of measured pairs.
  std::uint64_t find_sorted(std::span<const RowId> lefts, std::span<const RowId> rights,
                            const EachPairs& each) {
    std::vector<RowId> rows(lefts.begin(), lefts.end());
    rows.insert(rows.end(), rights.begin(), rights.end());
    const std::size_t split = rights.empty() ? 0 : lefts.size();
    const auto past_split = static_cast<RowId>(split);
    std::vector<ScoredPair> block;
    const EachPairs from_rights = [&](std::span<const ScoredPair> pairs) {
      block.assign(pairs.begin(), pairs.end());
      for (ScoredPair& pair : block) pair.right -= past_split;
      each(block);
    };
    if (saved_join_ || !joiner_->hashes()) return find(rows, split, from_rights);
    SortedPairs<ScoredPair> sorted(scratch(), joiner_->sort_bytes());
    const std::uint64_t measured =
        find(rows, split, [&](std::span<const ScoredPair> pairs) { sorted.add(pairs); });
    sorted.finish();
    for_each_block(sorted, [&](std::span<const ScoredPair> pairs) {
      from_rights(pairs);
      return true;
    });
    return measured;
  }

  [[nodiscard]] std::vector<RowId> rows_of(std::span<const Place> places) const {
    std::vector<RowId> rows(places.size());
    std::transform(places.begin(), places.end(), rows.begin(),
                   [this](Place place) { return item_at(place); });
    return rows;
  }

  [[nodiscard]] RankedClusters cluster() {
    RankedStarSteps steps;
    steps.between = [this](std::span<const Place> lefts, std::span<const Place> rights,
                           const EachPairs& each) -> std::uint64_t {
      if (lefts.empty() || rights.empty()) return 0;
      return find_sorted(rows_of(lefts), rows_of(rights), each);
    };
    steps.within = [this](std::span<const Place> places, const EachPairs& each) -> std::uint64_t {
      return places.empty() ? 0 : find_sorted(rows_of(places), {}, each);
    };
    if (joiner_->costs_by_row()) {
      steps.most_at_once = kNoPlace;
      steps.growth = kGrowthByRow;
    }
    if (joiner_->hashes() && saved_join_) {  // an unfinished batch is lost
      steps.most_at_once = std::max<Place>(kStarBatch, items_.size() / kSavedBatches);
    }
    steps.wholes_cost_less = joiner_->wholes_cost_less() && !saved_join_;
    steps.progress = [this](std::size_t done) {
      if (hooks_.on_progress) hooks_.on_progress({"comparing", done, items_.size()});
    };
    if (options_.clustering == "star") {
      return ranked_star(items_.size(), items_.fixed, pool_, steps);
    }
    return ranked_components(items_.size(), items_.fixed, pool_, steps, value_of_removal());
  }

  std::unique_ptr<InMemoryJoiner> joiner_;
  VerbBit verb_;
  const Options& options_;
  const RunHooks& hooks_;
  const Settings& settings_;
  const BoundFacts& facts_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  ThreadPool pool_;
  ItemPlaces places_;
  ItemNumbers numbers_;  // the joiner's rows
  Items items_;          // items of groups
  std::optional<ItemAudit> audit_;
  std::unique_ptr<ReusedFile> reused_;          // null without --reuse
  std::unique_ptr<ItemCheckpoint> checkpoint_;  // null without --checkpoint
  std::optional<SavedJoin> saved_join_;
  std::optional<PartJoin> part_join_;  // with --parts
  std::uint64_t pairs_measured_ = 0;
};

}  // namespace

void refuse_ranks_by_length(const Options& options) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"keep", options.keep},
              fmt::format("{} have no length to rank them by", kind_name(options.kind)),
              "use first, last, max:FIELD or min:FIELD");
}

std::unique_ptr<Engine> vector_engine(VerbBit verb, const Options& options, const RunHooks& hooks) {
  return std::make_unique<InMemoryEngine>(vector_joiner(verb, options), verb, options, hooks);
}

std::unique_ptr<Engine> bit_engine(VerbBit verb, const Options& options, const RunHooks& hooks) {
  return std::make_unique<InMemoryEngine>(bit_joiner(verb, options), verb, options, hooks);
}

std::unique_ptr<Engine> string_engine(VerbBit verb, const Options& options, const RunHooks& hooks) {
  return std::make_unique<InMemoryEngine>(string_joiner(verb, options), verb, options, hooks);
}

}  // namespace sosie
