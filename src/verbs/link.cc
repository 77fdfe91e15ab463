// Verb link: records of the same entity, within one collection or between two.
#include "sosie/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cluster/average_linkage.h"
#include "cluster/weakest_pair.h"
#include "core/number_text.h"
#include "decide/best_links.h"
#include "decide/link_estimates.h"
#include "decide/link_truth.h"
#include "decide/one_to_one.h"
#include "join/record_linker.h"
#include "join/run.h"
#include "options/formats.h"
#include "options/output_names.h"
#include "plan/link_cut.h"
#include "report/link_outputs.h"
#include "sosie/error.h"
#include "store/model_file.h"
#include "verbs/link_inputs.h"
#include "verbs/link_method.h"

namespace sosie {
namespace {

// Candidates below are never links, whatever the cut.
constexpr double kLeastKept = 0.01;
// Pairs below take no partner from others where the cut is chosen from the links.
constexpr double kLeastAssigned = 0.1;
// Bits between the farthest and the closest pair of one pattern, when partners are chosen: less
// than most levels say.
constexpr double kBitsOfCloseness = 1;
// Most candidates that estimates are made from, unless more of them are likely.
constexpr std::uint64_t kMostJudged = 1'000'000;
constexpr double kRounding = 1e-6;  // tolerance in bits

class LinkRun {
 public:
  LinkRun(const Options& options, const RunHooks& hooks)
      : options_(options),
        hooks_(hooks),
        settings_(resolve_run(options)),
        pool_(settings_.threads, hooks.cancel) {}

  RunReport run() {
    check_options();
    checks_ = checks_of(options_);
    inputs_ = read_link_inputs({.options = options_, .settings = settings_, .pool = pool_, .hooks = hooks_}, checks_);
    check_files();
    if (options_.init) return write_rules();
    make_link_fields(inputs_);
    names_ = {&inputs_.left.ids, inputs_.right ? &inputs_.right->ids : nullptr, inputs_.table.left};
    method_ = method_of(rules(), across());
    pair_score_ = pair_score_of(method_.method, rules(), inputs_.table);
    check_method();
    open_outputs();
    linker_.emplace(inputs_.table, rules(), settings_.memory_bytes, pool_);
    if (pair_score_) {
      linker_->find_for(*pair_score_);
    } else if (rules().model.empty()) {
      linker_->learn();
    } else {
      SavedModel saved = load_model(rules().model, rules(), inputs_.table, hooks_.cancel);
      linker_->take(std::move(saved.model), std::move(saved.shares));
    }
    for (const std::string& warning : linker_->choice().warnings) tell(warning);
    links_ = linker_->score(linker_->probability_of_best(kMostJudged, kLeastKept));
    if (across()) {
      link_collections();
    } else {
      write_groups(grouped());
    }
    judge();
    return finish();
  }

 private:
  [[nodiscard]] bool by_model() const noexcept { return pair_score_ == nullptr; }
  [[nodiscard]] bool across() const noexcept { return !options_.against.empty(); }
  [[nodiscard]] const LinkRules& rules() const noexcept { return inputs_.chosen.rules; }

  void tell(const std::string& message) const {
    if (hooks_.on_message) hooks_.on_message(message);
  }

  void check_options() const {
    if (options_.inputs.empty() && options_.files_from.empty()) {
      throw Error(ErrorKind::invalid_option, "link: no input", "sosie link people.csv");
    }
    if (across() && !options_.pairs.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"pairs"},
                  "is for groups of one collection; with --against the output holds the pairs");
    }
    if (!across() && !options_.assign.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"assign", options_.assign},
                  "is for two collections; one is put into groups", "say --against OTHER");
    }
    if (options_.init && !options_.rules.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"init"}, "cannot go with --rules");
    }
  }

  // Refuses outputs that are inputs.
  void check_files() const {
    const std::vector<std::string> outputs = {options_.output, options_.pairs, options_.stats,
                                              options_.model};
    check_outputs(inputs_.left.places.inputs, outputs, result_of(options_, hooks_));
    if (inputs_.right) check_outputs(inputs_.right->places.inputs, outputs);
    for (const std::string& read : {options_.rules, checks_.truth_file, rules().model}) {
      if (!read.empty()) check_outputs(std::vector<std::string>{read}, outputs);
    }
  }

  RunReport write_rules() {
    OutputFile out = options_.output.empty()
                         ? OutputFile(hooks_.result_descriptor, "standard output", hooks_.cancel)
                         : OutputFile(options_.output, hooks_.cancel);
    out.write(link_rules_text(rules(), inputs_.chosen.notes));
    out.finish();
    out.commit();
    RunReport report;
    report.rows = inputs_.left.rows + (inputs_.right ? inputs_.right->rows : 0);
    report.summary = fmt::format("rules       of {} fields\n", rules().fields.size());
    return report;
  }

  // Refuses what needs a model where there is none.
  void check_method() const {
    if (!pair_score_) return;
    const std::string reason =
        fmt::format("is for fellegi-sunter, not for {}", score_method_name(method_.method));
    if (checks_.each_field) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"check-by", "auto"}, reason,
                  "say a field: --check-by FIELD");
    }
    if (!options_.model.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"model", options_.model}, reason);
    }
  }

  void open_outputs() {
    const auto table_at = [&](const std::string& path, std::vector<std::string> columns) {
      return std::make_unique<TableWriter>(path, table_format_of(path), std::move(columns),
                                           hooks_.cancel, hooks_.table_files);
    };
    std::vector<std::string> columns =
        across() ? link_columns(rules(), by_model())
                 : std::vector<std::string>{"id", "cluster_id", "size", "weakest"};
    output_ = options_.output.empty()
                  ? std::make_unique<TableWriter>(hooks_.result_descriptor, std::move(columns),
                                                  hooks_.cancel)
                  : table_at(options_.output, std::move(columns));
    if (!options_.pairs.empty()) pairs_ = table_at(options_.pairs, link_columns(rules(), by_model()));
    check_json_name("--stats", options_.stats, "the summary");
    check_json_name("--model", options_.model, "the weights");
    if (!options_.model.empty())
      model_ = std::make_unique<OutputFile>(options_.model, hooks_.cancel);
    if (!options_.stats.empty())
      stats_ = std::make_unique<OutputFile>(options_.stats, hooks_.cancel);
  }

  // Rule of the cut; a probability is the match weight that has it.
  [[nodiscard]] CutRule cut_rule() const {
    constexpr std::string_view kPrecision = "precision:";
    const std::string& cut = rules().cut;
    if (cut == "auto") return {};
    if (cut.starts_with(kPrecision)) {
      return {CutRule::Kind::precision,
              parse_rational(std::string_view(cut).substr(kPrecision.size()))->value()};
    }
    const double value = parse_rational(cut)->value();
    if (!by_model()) return {CutRule::Kind::fixed, value * pair_score_->greatest() - kRounding};
    return {CutRule::Kind::fixed, linker_->bits_at(value) - kRounding};
  }

  // Chooses the least score of links that are sorted by score, best first.
  void choose_cut(const std::vector<PatternLink>& links) {
    const CutRule rule = cut_rule();
    if (!by_model()) judge_ = judge_of_scores(rule);
    std::vector<JudgedScore> judged;
    judged.reserve(links.size());
    for (const PatternLink& link : links) judged.push_back({link.link.score, probability_of(link)});
    const double matches = by_model() ? linker_->choice().fitted.matches
                           : judge_   ? estimates_->matches(*judge_)
                                      : 0;
    facts_.cut = sosie::choose_cut(judged, matches, rule);
    if (!by_model()) {
      facts_.cut_probability = facts_.cut.links == 0 ? 1 : facts_.cut.score / pair_score_->greatest();
      return;
    }
    const double odds = linker_->model().odds_at(facts_.cut.score);
    facts_.cut_probability = facts_.cut.links == 0 ? 1 : odds / (1 + odds);
  }

  // The estimate that scores without a model are judged by; none is needed for a cut that is given.
  [[nodiscard]] std::optional<std::size_t> judge_of_scores(const CutRule& rule) const {
    const std::optional<std::size_t> judge = estimates_->judge();
    if (judge || rule.kind == CutRule::Kind::fixed || links_.empty()) return judge;
    std::string reasons;
    for (const QualityEstimate& estimate : estimates_->estimates()) {
      reasons += fmt::format("; by {}: {}", estimate.method, estimate.refusal);
    }
    throw Error(ErrorKind::invalid_option, RefusedOption{"cut", rules().cut},
                fmt::format("needs an estimate, and {} has none{}",
                            score_method_name(method_.method), reasons),
                "say the least part of the greatest score, such as --cut 0.6, or --check-by FIELD");
  }

  // Probability of a link, -1 where none is known.
  [[nodiscard]] double probability_of(const PatternLink& link) const {
    if (by_model()) return link.link.probability;
    return judge_ ? estimates_->true_part(*judge_, link) : -1;
  }

  void write(const LinkTable& table, PatternLink link, TableWriter& out) const {
    link.link.probability = probability_of(link);
    table.write(link, out);
  }

  static void sort_by_score(std::vector<PatternLink>& links) {
    std::stable_sort(links.begin(), links.end(), [](const PatternLink& a, const PatternLink& b) {
      return a.link.score > b.link.score;
    });
  }

  // Decides which pairs of two collections are links, and writes them best first.
  void link_collections() {
    const std::vector<std::size_t> chosen = assigned();
    start_estimates(chosen);
    std::vector<PatternLink> links;
    links.reserve(chosen.size());
    for (const std::size_t i : chosen) links.push_back(links_[i]);
    sort_by_score(links);
    choose_cut(links);
    links.resize(facts_.cut.links);
    const LinkTable table(rules(), *linker_, names_, by_model());
    for (const PatternLink& link : links) {
      write(table, link, *output_);
      count(link);
    }
    facts_.links = links.size();
  }

  void start_estimates(std::span<const std::size_t> chosen) {
    estimate_task_.emplace(EstimateTask{inputs_.table, rules(), *linker_, links_, by_model(),
                                        across() && rules().assign == Assign::one_to_one, chosen,
                                        inputs_.check_by, checks_.each_field});
    if (linker_->choice().has_two_classes) estimates_.emplace(*estimate_task_);
  }

  // Counts a pair of the output.
  void count(const PatternLink& link) {
    estimates_->add(link);
    if (inputs_.truth) keep_pair(link.link.pair());
  }

  // Keeps a pair of the output for the truth.
  void keep_pair(const RecordPair& pair) {
    constexpr std::uint64_t kCopies = 2;
    if (kCopies * sizeof(RecordPair) * output_pairs_.size() > settings_.memory_bytes) {
      throw Error(ErrorKind::limit_exceeded,
                  fmt::format("the pairs of the output do not fit into --memory {}, and --truth "
                              "compares them all",
                              bytes_text(settings_.memory_bytes)),
                  "say a larger --memory");
    }
    output_pairs_.push_back(pair);
  }

  void judge() {
    if (estimates_) {
      facts_.estimates = estimates_->estimates();
      if (const auto warning = disagreement_of(facts_.estimates)) tell(*warning);
    }
    if (!inputs_.truth) return;
    const TruePairs& truth = inputs_.truth->pairs;
    const std::vector<ScoredLink> scored =
        linker_->wanted([&](const RecordPair& pair) { return truth.contains(pair); });
    std::sort(output_pairs_.begin(), output_pairs_.end());
    facts_.truth = judge_links({truth, scored, facts_.cut.score, output_pairs_});
    facts_.truth_unknown = inputs_.truth->unknown;
  }

  // Candidates that may be links, by their positions, ascending.
  [[nodiscard]] std::vector<std::size_t> assigned() const {
    if (rules().assign == Assign::all) {
      std::vector<std::size_t> likely;
      likely.reserve(links_.size());
      for (std::size_t i = 0; i < links_.size(); ++i) {
        if (links_[i].link.probability >= kLeastKept) likely.push_back(i);
      }
      return likely;
    }
    std::vector<ScoredLink> scored;
    scored.reserve(links_.size());
    for (const PatternLink& link : links_) {
      scored.push_back(link.link);
      // Pairs of one pattern have one score: the closer of them come first.
      if (!by_model()) continue;
      scored.back().score += kBitsOfCloseness * linker_->closeness(link.link.left, link.link.right);
    }
    const CutRule cut = cut_rule();
    const double floor =
        cut.kind == CutRule::Kind::fixed ? cut.value
        : by_model()                     ? linker_->bits_at(kLeastAssigned)
                                         : 0;
    return rules().assign == Assign::best ? best_links(scored, floor)
                                          : one_to_one(scored, pool_, floor);
  }

  [[nodiscard]] RecordGroups grouped() {
    start_estimates({});
    std::vector<PatternLink> likely;
    std::vector<ScoredLink> scored;
    for (const PatternLink& link : links_) {
      if (link.link.probability < kLeastKept) continue;
      likely.push_back(link);
      scored.push_back(link.link);
    }
    sort_by_score(likely);
    choose_cut(likely);
    LinkageTask task;
    task.records = inputs_.table.size();
    task.links = scored;
    task.cut = facts_.cut_probability;
    task.probability = [this](unsigned /*worker*/, std::uint32_t left, std::uint32_t right) {
      pool_.check_cancelled();
      return linker_->probability(left, right);
    };
    return average_linkage(task, pool_);
  }

  void write_groups(const RecordGroups& groups) {
    std::vector<const RecordGroup*> group_of(inputs_.table.size());
    for (const RecordGroup& group : groups.groups) {
      group_of[group.first] = &group;
      facts_.groups += 1;
      facts_.grouped += group.size;
    }
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      if (inputs_.left.places.corpus.state(record) == RowState::skipped) continue;
      const std::uint32_t first = groups.first[record];
      write_record(names_, record, first, group_of[first], *output_);
    }
    write_pairs(groups);
  }

  // Pairs of records of one group, in input order, if they are asked for; counts them and what the
  // model expects of them.
  void write_pairs(const RecordGroups& groups) {
    std::vector<std::vector<std::uint32_t>> members(inputs_.table.size());
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      members[groups.first[record]].push_back(record);
    }
    const LinkTable table(rules(), *linker_, names_, by_model());
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      pool_.check_cancelled();
      const std::vector<std::uint32_t>& group = members[groups.first[record]];
      const auto next = std::upper_bound(group.begin(), group.end(), record);
      const bool is_large = group.size() > kComparedGroup;
      facts_.links += static_cast<std::uint64_t>(group.end() - next);
      if (!is_large && group.size() > 1 && group.front() == record) estimates_->add_group(group);
      if (is_large) expect_pairs_of(group, static_cast<std::size_t>(next - group.begin()) - 1);
      if (is_large && !pairs_ && !inputs_.truth) continue;
      for (auto other = next; other != group.end(); ++other) {
        const PatternLink link = linker_->score_pair(record, *other);
        if (inputs_.truth) keep_pair(link.link.pair());
        if (pairs_) write(table, link, *pairs_);
      }
    }
  }

  // Adds the expected matches among a record's pairs in a large group, each of which counts for
  // both of its records: drawn partners stand for all.
  void expect_pairs_of(const std::vector<std::uint32_t>& group, std::size_t place) {
    const double pairs =
        static_cast<double>(group.size() - 1) / 2 / static_cast<double>(kDrawnPartners);
    for (std::uint64_t draw = 0; draw < kDrawnPartners; ++draw) {
      const std::uint32_t drawn = drawn_partner(group, place, draw);
      estimates_->add(
          linker_->score_pair(std::min(group[place], drawn), std::max(group[place], drawn)), pairs);
    }
  }

  void count_bad_rows(const Corpus& corpus) {
    for (const BlockFacts& block : corpus.facts) {
      facts_.skipped += block.skipped;
      facts_.unmatched += block.unmatched;
    }
  }

  RunReport finish() {
    facts_.rules = &rules();
    facts_.method = method_.method;
    facts_.method_reason = method_.reason;
    facts_.has_rules_file = !options_.rules.empty();
    facts_.table = &inputs_.table;
    facts_.linker = &*linker_;
    facts_.notes = inputs_.chosen.notes;
    facts_.names = &names_;
    count_bad_rows(inputs_.left.places.corpus);
    if (inputs_.right) count_bad_rows(inputs_.right->places.corpus);
    facts_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    facts_.peak_memory = peak_memory_bytes();
    RunReport report;
    report.rows = inputs_.table.size();
    report.pairs = facts_.links;
    report.summary = link_summary(facts_);
    report.stats = link_summary_json(facts_);
    if (stats_) {
      stats_->write(report.stats);
      stats_->finish();
    }
    if (model_) {
      model_->write(model_to_json(rules(), linker_->model(), inputs_.table));
      model_->finish();
    }
    if (pairs_) pairs_->finish();
    output_->finish();
    require_unchanged(inputs_.left.places.inputs);
    if (inputs_.right) require_unchanged(inputs_.right->places.inputs);
    pool_.check_cancelled();
    if (stats_) stats_->commit();
    if (model_) model_->commit();
    if (pairs_) pairs_->commit();
    output_->commit();
    return report;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  const RunHooks& hooks_;
  Settings settings_;
  ThreadPool pool_;
  LinkInputs inputs_;
  RecordNames names_;
  std::optional<RecordLinker> linker_;
  LinkFacts facts_;
  std::unique_ptr<TableWriter> output_;
  std::unique_ptr<TableWriter> pairs_;
  std::unique_ptr<OutputFile> stats_;
  std::unique_ptr<OutputFile> model_;
  LinkChecks checks_;
  ChosenMethod method_;
  std::unique_ptr<PairScore> pair_score_;  // null: a model
  std::optional<std::size_t> judge_;       // estimate by which scores without a model are judged
  std::vector<PatternLink> links_;  // candidates that are judged, by (left, right)
  std::optional<EstimateTask> estimate_task_;
  std::optional<LinkEstimates> estimates_;
  std::vector<RecordPair> output_pairs_;  // with --truth
};

}  // namespace

RunReport link(const Options& options, const RunHooks& hooks) {
  return LinkRun(options, hooks).run();
}

}  // namespace sosie
