// Verb link: records of the same entity, within one collection or between two.
#include "sosie/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "cluster/average_linkage.h"
#include "cluster/weakest_pair.h"
#include "corpus/default_rules.h"
#include "corpus/record_fields.h"
#include "corpus/record_rows.h"
#include "decide/best_links.h"
#include "decide/one_to_one.h"
#include "join/record_linker.h"
#include "join/run.h"
#include "options/formats.h"
#include "options/link_rules_file.h"
#include "options/output_names.h"
#include "plan/link_cut.h"
#include "read/field_path.h"
#include "report/link_outputs.h"
#include "report/linked_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Candidates below are never links, whatever the cut.
constexpr double kLeastKept = 0.01;
// Pairs below take no partner from others where the cut is chosen from the links.
constexpr double kLeastAssigned = 0.1;
// Bits between the farthest and the closest pair of one pattern, when partners are chosen: less
// than most levels say.
constexpr double kBitsOfCloseness = 1;
constexpr double kRounding = 1e-6;  // tolerance in bits

// Records and rules of a run.
struct LinkInputs {
  RecordRows left;
  std::optional<RecordRows> right;
  ChosenRules chosen;
  RecordTable table;

  [[nodiscard]] const RecordRows* other() const noexcept { return right ? &*right : nullptr; }
};

class LinkRun {
 public:
  LinkRun(const Options& options, const RunHooks& hooks, LinkedRows* found)
      : options_(options),
        hooks_(hooks),
        found_(found),
        settings_(resolve_run(options)),
        pool_(settings_.threads, hooks.cancel) {}

  RunReport run() {
    check_options();
    read();
    if (options_.init) return write_rules();
    RecordRows* const right = inputs_.right ? &*inputs_.right : nullptr;
    inputs_.table = make_fields(inputs_.left, right, rules().fields);
    names_ = {&inputs_.left.ids, inputs_.right ? &inputs_.right->ids : nullptr, inputs_.table.left};
    open_outputs();
    if (found_ != nullptr) found_->rules_text = link_rules_text(rules(), inputs_.chosen.notes);
    linker_.emplace(inputs_.table, rules(), settings_.memory_bytes, pool_);
    linker_->learn();
    for (const std::string& warning : linker_->choice().warnings) tell(warning);
    std::vector<PatternLink> links = linker_->score(kLeastKept);
    if (found_ != nullptr) told_.emplace(rules(), linker_->model(), names_, *found_);
    if (across()) {
      write_links(decided(std::move(links)));
    } else {
      write_groups(grouped(std::move(links)));
    }
    return finish();
  }

 private:
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

  void read() {
    RecordFields asked;
    if (!options_.ignore.empty()) asked.ignored = joined_names(options_.ignore);
    RecordFields asked_right = asked;
    if (!options_.rules.empty()) {
      inputs_.chosen.rules = read_link_rules(options_.rules, hooks_.cancel);
      asked.wanted = columns_of(rules().fields, /*of_right=*/false);
      asked_right.wanted = columns_of(rules().fields, /*of_right=*/true);
    }
    ItemReading reading{.options = options_, .settings = settings_, .pool = pool_, .hooks = hooks_};
    inputs_.left = read_records(reading, options_.inputs, asked);
    reading.of_against = true;
    asked_right.bytes_before = memory_bytes_of(inputs_.left.columns);
    if (across()) inputs_.right = read_records(reading, options_.against, asked_right);
    require_ignored(asked, inputs_.left, inputs_.other());
    if (options_.rules.empty()) inputs_.chosen = choose_rules(inputs_.left, inputs_.other());
    if (!options_.assign.empty()) inputs_.chosen.rules.assign = assign_called(options_.assign);
    if (!options_.cut.empty()) inputs_.chosen.rules.cut = options_.cut;
    const std::vector<std::string> outputs = {options_.output, options_.pairs, options_.stats};
    check_outputs(inputs_.left.places.inputs, outputs, result_of(options_, hooks_));
    if (inputs_.right) check_outputs(inputs_.right->places.inputs, outputs);
    if (!options_.rules.empty()) check_outputs(std::vector<std::string>{options_.rules}, outputs);
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

  void open_outputs() {
    const auto table_at = [&](const std::string& path, std::vector<std::string> columns) {
      return std::make_unique<TableWriter>(path, table_format_of(path), std::move(columns),
                                           hooks_.cancel, hooks_.table_files);
    };
    std::vector<std::string> columns =
        across() ? link_columns(rules())
                 : std::vector<std::string>{"id", "cluster_id", "size", "weakest"};
    if (!options_.output.empty()) {
      output_ = table_at(options_.output, std::move(columns));
    } else if (found_ == nullptr) {
      output_ = std::make_unique<TableWriter>(hooks_.result_descriptor, std::move(columns),
                                              hooks_.cancel);
    }
    if (!options_.pairs.empty()) pairs_ = table_at(options_.pairs, link_columns(rules()));
    check_json_name("--stats", options_.stats, "the summary");
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
    return {CutRule::Kind::fixed, linker_->bits_at(parse_rational(cut)->value()) - kRounding};
  }

  // Chooses the least score of links that are sorted by score, best first.
  void choose_cut(const std::vector<PatternLink>& links) {
    std::vector<JudgedScore> judged;
    judged.reserve(links.size());
    for (const PatternLink& link : links) {
      judged.push_back({link.link.score, link.link.probability});
    }
    facts_.cut = sosie::choose_cut(judged, linker_->choice().fitted.matches, cut_rule());
    const double odds = linker_->model().odds_at(facts_.cut.score);
    facts_.cut_probability = facts_.cut.links == 0 ? 1 : odds / (1 + odds);
  }

  static void sort_by_score(std::vector<PatternLink>& links) {
    std::stable_sort(links.begin(), links.end(), [](const PatternLink& a, const PatternLink& b) {
      return a.link.score > b.link.score;
    });
  }

  // Links of two collections, best first. `links`: the candidates that may be links.
  [[nodiscard]] std::vector<PatternLink> decided(std::vector<PatternLink> links) {
    std::vector<PatternLink> chosen;
    if (rules().assign == Assign::all) {
      chosen = std::move(links);
    } else {
      for (const std::size_t i : assigned(links)) chosen.push_back(links[i]);
    }
    sort_by_score(chosen);
    choose_cut(chosen);
    chosen.resize(facts_.cut.links);
    return chosen;
  }

  [[nodiscard]] std::vector<std::size_t> assigned(const std::vector<PatternLink>& links) const {
    std::vector<ScoredLink> scored;
    scored.reserve(links.size());
    for (const PatternLink& link : links) {
      scored.push_back(link.link);
      // Pairs of one pattern have one score: the closer of them come first.
      scored.back().score += kBitsOfCloseness * linker_->closeness(link.link.left, link.link.right);
    }
    const CutRule cut = cut_rule();
    const double floor =
        cut.kind == CutRule::Kind::fixed ? cut.value : linker_->bits_at(kLeastAssigned);
    return rules().assign == Assign::best ? best_links(scored, floor)
                                          : one_to_one(scored, pool_, floor);
  }

  void write_links(const std::vector<PatternLink>& links) {
    const LinkTable table(rules(), linker_->model(), names_);
    for (const PatternLink& link : links) {
      if (output_) table.write(link, *output_);
      if (told_) told_->add_link(link);
      facts_.expected_links += link.link.probability;
    }
    facts_.links = links.size();
  }

  [[nodiscard]] RecordGroups grouped(std::vector<PatternLink> links) {
    std::vector<ScoredLink> scored;
    scored.reserve(links.size());
    for (const PatternLink& link : links) scored.push_back(link.link);
    sort_by_score(links);
    choose_cut(links);
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
      if (output_) write_record(names_, record, first, group_of[first], *output_);
      if (told_) told_->add_record(record, first, group_of[first]);
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
    const LinkTable table(rules(), linker_->model(), names_);
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      pool_.check_cancelled();
      const std::vector<std::uint32_t>& group = members[groups.first[record]];
      const auto next = std::upper_bound(group.begin(), group.end(), record);
      const bool is_large = group.size() > kComparedGroup;
      facts_.links += static_cast<std::uint64_t>(group.end() - next);
      if (is_large) expect_pairs_of(group, static_cast<std::size_t>(next - group.begin()) - 1);
      if (is_large && !lists_pairs()) continue;
      for (auto other = next; other != group.end(); ++other) {
        const PatternLink link = linker_->score_pair(record, *other);
        if (!is_large) facts_.expected_links += link.link.probability;
        if (pairs_) table.write(link, *pairs_);
        if (told_ && found_->wants_pairs) told_->add_link(link);
      }
    }
  }

  [[nodiscard]] bool lists_pairs() const noexcept {
    return pairs_ != nullptr || (found_ != nullptr && found_->wants_pairs);
  }

  // Adds the expected matches among a record's pairs in a large group, each of which counts for
  // both of its records: drawn partners stand for all.
  void expect_pairs_of(const std::vector<std::uint32_t>& group, std::size_t place) {
    double sum = 0;
    for (std::uint64_t draw = 0; draw < kDrawnPartners; ++draw) {
      const std::uint32_t drawn = drawn_partner(group, place, draw);
      sum += linker_->probability(std::min(group[place], drawn), std::max(group[place], drawn));
    }
    facts_.expected_links +=
        sum / static_cast<double>(kDrawnPartners) * static_cast<double>(group.size() - 1) / 2;
  }

  void count_bad_rows(const Corpus& corpus) {
    for (const BlockFacts& block : corpus.facts) {
      facts_.skipped += block.skipped;
      facts_.unmatched += block.unmatched;
    }
  }

  RunReport finish() {
    facts_.rules = &rules();
    facts_.has_rules_file = !options_.rules.empty();
    facts_.table = &inputs_.table;
    facts_.linker = &*linker_;
    facts_.notes = inputs_.chosen.notes;
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
    if (pairs_) pairs_->finish();
    if (output_) output_->finish();
    require_unchanged(inputs_.left.places.inputs);
    if (inputs_.right) require_unchanged(inputs_.right->places.inputs);
    pool_.check_cancelled();
    if (stats_) stats_->commit();
    if (pairs_) pairs_->commit();
    if (output_) output_->commit();
    return report;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  const RunHooks& hooks_;
  LinkedRows* found_;  // null: nobody asks
  Settings settings_;
  ThreadPool pool_;
  LinkInputs inputs_;
  RecordNames names_;
  std::optional<RecordLinker> linker_;
  LinkFacts facts_;
  std::optional<LinkedRowsWriter> told_;  // fills *found_
  std::unique_ptr<TableWriter> output_;   // null: the program that asks has it all
  std::unique_ptr<TableWriter> pairs_;
  std::unique_ptr<OutputFile> stats_;
};

}  // namespace

RunReport link(const Options& options, const RunHooks& hooks) {
  return LinkRun(options, hooks, nullptr).run();
}

RunReport link_rows(const Options& options, const RunHooks& hooks, LinkedRows& found) {
  return LinkRun(options, hooks, &found).run();
}

}  // namespace sosie
