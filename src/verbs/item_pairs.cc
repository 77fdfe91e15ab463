// Pairs, and queries whose rows are all there, of items that lie in memory: vectors and bit
// strings.
#include <fmt/format.h>

#include <chrono>

#include "core/number_text.h"
#include "decide/measured_audit.h"
#include "join/hashed_pairs.h"
#include "join/item_joiner.h"
#include "join/run.h"
#include "report/pair_outputs.h"
#include "sosie/error.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

// From here on a run says how many pairs it is about to write.
constexpr double kManyPairs = 1e8;

void refuse_bad_row_options(const Options& options) {
  for (const std::string_view name : {"on-bad-row", "rejects"}) {
    if (!is_given(options, name)) continue;
    throw Error(ErrorKind::invalid_option, fmt::format("--{}: not for {}", name, options.kind));
  }
}

class ItemPairs {
 public:
  ItemPairs(std::string_view verb, ItemJoiner& joiner, const Options& options,
            const RunHooks& hooks)
      : verb_(verb),
        joiner_(joiner),
        options_(options),
        hooks_(hooks),
        pool_(joiner.settings().threads, hooks.cancel) {
    refuse_bad_row_options(options);
  }

  RunReport execute() {
    joiner_.read(pool_, hooks_, nullptr);
    std::vector<std::string> inputs = joiner_.paths();
    add_given_ids(options_, inputs);
    check_outputs(inputs, {options_.output, options_.stats}, result_of(options_, hooks_));
    PairOutputs outputs(verb_, options_, hooks_, facts_);
    joiner_.prepare(needs());
    std::optional<MeasuredAudit> audit;
    if (options_.audit > 0) audit.emplace(audited_run());
    PairSink sink(options_, facts_,
                  {joiner_.own_ids(), is_join() ? joiner_.other_ids() : joiner_.own_ids(),
                   verb_ == "query" ? PairOrder::best_first : PairOrder::input, hooks_.pairs,
                   audit ? PairSeen([&](const MeasuredPair& pair) {
                     audit->add_reported(pair.left,
                                         pair.right + (is_join() ? joiner_.others().begin : 0));
                   })
                         : PairSeen()},
                  outputs.table(), {joiner_.scratch(), joiner_.settings().memory_bytes / 8});
    const std::uint64_t measured = find(sink);
    MeasuredSummary summary = summarize();
    summary.candidates = measured;
    summary.pairs = sink.finish();
    if (audit) summary.audit = audit->measure();
    measure_run(summary, started_);
    return outputs.finish(summary, pool_);
  }

 private:
  [[nodiscard]] bool is_join() const { return !options_.against.empty(); }

  [[nodiscard]] JoinNeeds needs() const {
    const std::uint64_t audit = options_.audit > 0 ? kAuditRowBytes : 0;
    return {audit, kEqualItemBytes + audit, options_.audit > 0};
  }

  [[nodiscard]] AuditedRun audited_run() {
    return audited_join(joiner_, {options_, hooks_, pool_},
                        is_join() ? joiner_.others() : joiner_.own());
  }

  // Returns how many pairs were measured.
  std::uint64_t find(PairSink& sink) {
    const EachPairs add = [&](std::span<const MeasuredPair> pairs) { sink.add(pairs); };
    const bool nothing = joiner_.own().size() == 0 || (is_join() && joiner_.others().size() == 0);
    if (nothing) return 0;
    if (joiner_.is_nearest()) return joiner_.find_nearest(options_.top, add);
    expect_pairs();
    const std::size_t rows = std::size_t{joiner_.own().size()} + joiner_.others().size();
    const auto bytes_of = [this](std::size_t row) { return joiner_.bytes_of(row); };
    if (joiner_.hashes() || are_mostly_copies(rows, bytes_of)) return find_of_different(sink);
    return joiner_.find_all(
        prune_unwanted<MeasuredPair>(wanted_pairs(options_), IsNearer{facts_.is_similarity}), add);
  }

  // The different items are joined, and stand for their copies.
  std::uint64_t find_of_different(PairSink& sink) {
    const HashedJoin join{
        .lefts = joiner_.own().size(),
        .rights = joiner_.others().size(),
        .bytes_of = [this](std::size_t row) { return joiner_.bytes_of(row); },
        .join = [this](std::span<const RowId> rows, std::size_t split,
                       const EachPairs& each) { return joiner_.find(rows, split, each); },
        .measure = [this](RowId left, RowId right) { return joiner_.measure(left, right); },
        .scratch = &joiner_.scratch(),
        .sort_bytes = joiner_.sort_bytes()};
    return join_hashed(join, options_, facts_, sink);
  }

  // Says so when absurdly many pairs are to come, and does not begin what --limit will end.
  void expect_pairs() {
    const auto forecast = joiner_.forecast();
    if (!forecast) return;
    const WantedPairs wanted = wanted_pairs(options_);
    if (wanted.all()) check_pair_limit(wanted, facts_, forecast->least);
    if (!wanted.all() || options_.limit > 0 || forecast->expected < kManyPairs ||
        !hooks_.on_message) {
      return;
    }
    hooks_.on_message(
        fmt::format("about {} pairs are expected; {}, or use --top, --top-pairs or --limit",
                    count_text(static_cast<std::uint64_t>(forecast->expected)),
                    facts_.is_similarity ? "raise --threshold" : "lower --within"));
  }

  [[nodiscard]] MeasuredSummary summarize() const {
    MeasuredSummary summary;
    static_cast<JoinFacts&>(summary) = joiner_.facts();
    summary.verb = verb_;
    summary.rows = joiner_.own().size();
    summary.has_against = is_join();
    summary.against_rows = joiner_.others().size();
    summary.facts = facts_;
    summary.threads = joiner_.settings().threads;
    return summary;
  }

  std::string verb_;
  ItemJoiner& joiner_;
  const Options& options_;
  const RunHooks& hooks_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const BoundFacts& facts_ = joiner_.bound().facts;
  ThreadPool pool_;
};

}  // namespace

RunReport joined_items(std::string_view verb, ItemJoiner& joiner, const Options& options,
                       const RunHooks& hooks) {
  return ItemPairs(verb, joiner, options, hooks).execute();
}

RunReport pairs_of_items(MakeJoiner make, const Options& options, const RunHooks& hooks) {
  const auto joiner = make("pairs", options);
  return joined_items("pairs", *joiner, options, hooks);
}

}  // namespace sosie
