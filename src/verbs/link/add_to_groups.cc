// Adds new records to the groups of an earlier run (link --assign groups).
#include "verbs/link/add_to_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/count_text.h"
#include "core/json_writer.h"
#include "corpus/items/record_fields.h"
#include "decide/group_names.h"
#include "decide/grow_groups.h"
#include "io/scratch.h"
#include "join/records/record_linker.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/formats.h"
#include "options/output_options.h"
#include "options/read_link_rules.h"
#include "report/dedup_outputs.h"
#include "report/grown_groups.h"
#include "report/link_files.h"
#include "report/link_table.h"
#include "report/linked_rows.h"
#include "sosie/error.h"
#include "store/saved_model.h"
#include "verbs/link/group_weights.h"
#include "verbs/link/link_checks.h"
#include "verbs/link/link_method.h"

namespace sosie {
namespace {

constexpr double kEvenChance = 0.5;    // cut for groups, unless rules or options set another
constexpr double kLeastLinked = 0.01;  // candidates below are not links, unless the cut is lower
constexpr std::size_t kShownJoins = 5;
constexpr const char* kProbability = "probability";  // column of annotated rows

// The records of a table that belong to the first of two collections.
RecordTable left_records(const RecordTable& table) {
  RecordTable left;
  left.columns = table.columns;
  left.left = table.left;
  for (RecordColumn& column : left.columns) {
    column.values.resize(table.left);
    if (!column.swapped.empty()) column.swapped.resize(table.left);
  }
  return left;
}

// Rules in a form for comparison: without the cut and the assignment, which may differ, and with
// the contents of nickname files instead of their names.
std::pair<std::string, std::vector<std::vector<std::vector<std::string>>>> comparable(
    LinkRules rules) {
  rules.cut = "auto";
  rules.assign = Assign::automatic;
  rules.model.clear();
  std::vector<std::vector<std::vector<std::string>>> nicknames;
  for (LinkField& field : rules.fields) {
    field.nicknames.clear();
    nicknames.push_back(std::move(field.nickname_rows));
  }
  return {link_rules_text(rules, {}), std::move(nicknames)};
}

class GroupRun {
  using SizeKey = std::pair<std::uint32_t, std::uint32_t>;

 public:
  GroupRun(const Options& options, const RunHooks& hooks)
      : options_(options),
        hooks_(hooks),
        settings_(resolve_run(options)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes) {}

  RunReport run(LinkedRows* found) {
    check_options();
    take_rules();
    read();
    check_records();
    open_outputs(found == nullptr);
    table_ = make_record_fields(fresh_, &groups_, rules_.fields);
    names_ = {&fresh_.ids, &groups_.ids, table_.left};
    across_.emplace(table_, rules_, settings_.memory_bytes / 2, pool_, scratch_,
                    LinkerUse{.left_asks = true, .is_judged = false});
    const SavedModel saved = load_model(options_.model, rules_, table_, hooks_.cancel);
    across_->take(saved.model, saved.shares, saved.decisions);
    check_weights();
    const std::vector<ScoredLink> links = score(saved);
    decide(links);
    name_members();
    if (found != nullptr) tell(links, *found);
    return finish();
  }

 private:
  void check_options() const {
    const auto refuse = [](const char* option, const std::string& why,
                           const std::string& way = {}) {
      throw Error(ErrorKind::invalid_option, RefusedOption{option}, why, way);
    };
    if (options_.against.empty()) {
      refuse("assign groups", "needs the groups to add to: --against GROUPS",
             "GROUPS is the output of link --annotate all -o GROUPS");
    }
    if (options_.model.empty()) {
      refuse("assign groups", "needs the weights of the run that made the groups",
             "--model FILE.json, which that run wrote");
    }
    for (const char* option :
         {"init", "ignore", "check-by", "truth", "golden", "keep", "clusters", "report", "dry-run",
          "annotate", "labels", "suggest", "reuse", "save"}) {
      if (find_option(option) == nullptr || !is_given(options_, option)) continue;
      if (option == std::string_view("golden")) {
        refuse(option, "cannot be combined with adding records to groups",
               "add the records first; then rename cluster_id and cluster_size in the output, and "
               "link it alone by rules with always = [{ equal = [\"NEW NAME\"] }]");
      }
      if (is_given(options_, "assign")) {
        refuse(option, "cannot be combined with --assign groups",
               "leave it out, or link the rows of both without --assign groups");
      }
      refuse(option, "cannot be combined with adding records to the groups in --against",
             "leave it out, or --assign auto links the two instead");
    }
    if (options_.cut.starts_with("precision:")) {
      refuse("cut", "needs a probability with --assign groups", "--cut 0.9");
    }
    if (settings_.bad_rows == BadRows::keep) {
      refuse("on-bad-row", "keep cannot be combined with --assign groups", "use skip");
    }
    if (options_.output.ends_with('/')) {
      refuse("output", "groups and new rows go into one file", "name a file: -o GROWN.csv");
    }
  }

  // Adopts the rules stored in the model; --rules must agree with them.
  void take_rules() {
    std::optional<LinkRules> learnt = rules_of_model(options_.model, hooks_.cancel);
    if (!learnt && options_.rules.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"model", options_.model},
                  "does not contain its rules", "--rules FILE, the rules of that run");
    }
    if (options_.rules.empty()) {
      rules_ = std::move(*learnt);
    } else {
      rules_ = read_link_rules(options_.rules, hooks_.cancel);
      if (learnt && comparable(rules_) != comparable(*learnt)) {
        throw Error(ErrorKind::invalid_option, RefusedOption{"model", options_.model},
                    fmt::format("was made with other rules than {}", options_.rules),
                    "omit --rules: the model contains its rules");
      }
    }
    rules_.model.clear();
    rules_.assign = Assign::all;
    if (!options_.cut.empty()) rules_.cut = options_.cut;
    if (rules_.cut.starts_with("precision:")) {
      tell_cut(rules_.cut);
      rules_.cut = "auto";
    }
    if (rules_.cut != "auto") cut_ = method_of(rules_).asked_cut(rules_.cut);
  }

  void tell_cut(const std::string& wanted) const {
    if (!hooks_.on_message) return;
    hooks_.on_message(
        fmt::format("the rules say cut = \"{}\", which only a run over all records can estimate: "
                    "groups are cut at probability {}; --cut P sets another",
                    wanted, kEvenChance));
  }

  void read() {
    ItemReading reading{.options = options_, .settings = settings_, .pool = pool_, .hooks = hooks_};
    RecordFields asked{{}, columns_of(rules_.fields, /*of_right=*/false)};
    fresh_ = read_records(reading, options_.inputs, asked);
    reading.of_against = true;
    RecordFields of_groups{{}, columns_of(rules_.fields, /*of_right=*/true)};
    of_groups.also.emplace_back(kClusterId);
    of_groups.also.emplace_back(kProbability);
    of_groups.bytes_before = memory_bytes_of(fresh_.columns);
    groups_ = read_records(reading, options_.against, of_groups);
    for (RecordRows* rows : {&fresh_, &groups_}) name_columns_of(*rows, asked.wanted);
  }

  // An empty file gets the requested columns.
  static void name_columns_of(RecordRows& rows, const std::vector<std::string>& wanted) {
    if (!rows.are_empty_files) return;
    rows.columns.clear();
    for (const std::string& name : wanted) rows.columns.emplace_back().name = name;
  }

  void check_records() {
    const std::string& name = groups_.places.inputs.list.front().name;
    std::optional<RecordColumn> clusters = taken_column(groups_, std::string(kClusterId));
    if (!clusters) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"against", name},
                  fmt::format("has no field '{}'", kClusterId),
                  "GROUPS is the output of link --annotate all -o GROUPS");
    }
    clusters_ = std::move(*clusters);
    probability_ = taken_column(groups_, kProbability);
    check_grown_groups(fresh_, groups_);
    group_of_.reserve(groups_.rows);
    for (std::uint32_t row = 0; row < groups_.rows; ++row) {
      std::uint32_t value = clusters_.values[row];
      if (value == RecordColumn::kMissing) {
        if (groups_.places.corpus.state(row) != RowState::skipped) refuse_missing(row);
        value = clusters_.distinct() + skipped_++;
      }
      group_of_.push_back(value - 1);
    }
    refuse_known();
  }

  void check_weights() const {
    if (!probability_) return;
    check_group_weights(
        {groups_.places.inputs.list.front().name, group_of_, fresh_.rows, *probability_}, *across_,
        rules_, options_.model);
  }

  [[noreturn]] void refuse_missing(std::uint32_t row) const {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: {} is empty",
                            place_of_row(groups_.places.inputs, groups_.places.corpus.locator(row)),
                            kClusterId),
                "GROUPS is the output of link --annotate all -o GROUPS");
  }

  // Rejects records that the groups already contain.
  void refuse_known() const {
    if (fresh_.ids.names.empty() || groups_.ids.names.empty()) return;
    const std::unordered_set<std::string_view> known(groups_.ids.names.begin(),
                                                     groups_.ids.names.end());
    std::uint32_t first = 0;
    std::uint64_t count = 0;
    for (std::uint32_t row = fresh_.rows; row-- > 0;) {
      if (fresh_.places.corpus.state(row) == RowState::skipped) continue;
      if (!known.contains(fresh_.ids.names[row])) continue;
      first = row;
      ++count;
    }
    if (count == 0) return;
    throw Error(
        ErrorKind::malformed_input,
        fmt::format("{}: {} in {} already, the first is '{}'",
                    place_of_row(fresh_.places.inputs, fresh_.places.corpus.locator(first)),
                    plural_text(count, "record is", "records are"),
                    groups_.places.inputs.list.front().name, fresh_.ids.names[first]),
        "remove them from the batch; for a changed record, remove the old row from the groups");
  }

  void open_outputs(bool to_stdout) {
    Options outputs = options_;
    outputs.model.clear();  // is read here
    check_outputs(fresh_.places.inputs, outputs, result_of(options_, hooks_));
    check_outputs(groups_.places.inputs, outputs);
    check_outputs(std::vector<std::string>{options_.model, options_.rules}, outputs);
    if (!options_.output.empty() || to_stdout) {
      rows_ = open_kept_rows({options_, hooks_, groups_.places.inputs, pool_});
    }
    if (!options_.pairs.empty()) {
      pairs_ = std::make_unique<TableWriter>(
          options_.pairs, table_format_of(options_.pairs),
          std::vector<std::string>{"left", "right", "id", "probability"}, hooks_.cancel,
          hooks_.table_files);
    }
    stats_ = open_stats(options_, hooks_);
  }

  // Links with a new record on one or both sides, all with comparable scores.
  std::vector<ScoredLink> score(const SavedModel& saved) {
    const double least = std::min(kLeastLinked, cut_);
    std::vector<ScoredLink> links;
    for (const CandidateLink& link : across_->score(least)) links.push_back(link.link);
    candidates_ = across_->counts().pairs;
    const RecordTable alone = left_records(table_);
    RecordLinker within(alone, rules_, settings_.memory_bytes / 2, pool_, scratch_,
                        LinkerUse{.is_judged = false});
    within.take(saved.model, saved.shares, saved.decisions);
    candidates_ += within.counts().pairs;
    for (const CandidateLink& link : within.score(least)) {
      const ScoredLink scored = across_->score_pair(link.link.left, link.link.right).link;
      if (scored.probability >= least) links.push_back(scored);
    }
    always_ = across_->pair_rules().always(pool_);
    const std::vector<RecordPair> certain = within.pair_rules().always(pool_);
    always_.insert(always_.end(), certain.begin(), certain.end());
    return links;
  }

  void decide(const std::vector<ScoredLink>& links) {
    GrowthTask task{fresh_.rows, group_of_, {}};
    task.linkage.records = table_.size();
    task.linkage.links = links;
    task.linkage.cut = cut_;
    task.linkage.always = always_;
    task.linkage.probability = [this](unsigned /*worker*/, std::uint32_t left,
                                      std::uint32_t right) {
      pool_.check_cancelled();
      return across_->probability(left, right);
    };
    const PairRules& rules = across_->pair_rules();
    if (rules.has_never()) {
      task.linkage.never_class = rules.classes();
      task.linkage.never = [&rules](std::uint32_t left, std::uint32_t right) {
        return rules.is_never_class(left, right);
      };
    }
    task.joins_groups = options_.join_groups;
    growth_ = grow_groups(task, pool_);
    for (std::uint32_t& group : group_of_) {
      if (options_.join_groups) group = growth_.part_of[group];
    }
  }

  // For older records whose group has become part of another group.
  [[nodiscard]] GroupOfOlder joined_groups(const GroupNames& names) const {
    if (!options_.join_groups || growth_.would_join.empty()) return {};
    return [this, &names](RowId row) -> std::optional<GroupName> {
      const std::uint32_t group = clusters_.values[row] - 1;
      if (clusters_.values[row] == RecordColumn::kMissing) return std::nullopt;
      if (growth_.part_of[group] == group) return std::nullopt;
      return names.of_older(group_name(growth_.part_of[group]));
    };
  }

  [[nodiscard]] std::string group_name(std::uint32_t group) const {
    return std::string(clusters_.text(group + 1));
  }

  void name_members() {
    count_sizes();
    group_names_.emplace(groups_.ids, clusters_, fresh_.ids, groups_.rows);
    GroupNames& names = *group_names_;
    members_.resize(fresh_.rows);
    std::map<std::uint32_t, GroupName> named;  // new groups by first record
    for (std::uint32_t row = 0; row < fresh_.rows; ++row) {
      if (fresh_.places.corpus.state(row) == RowState::skipped) continue;
      NewMember& member = members_[row];
      member.size = sizes_[size_key(row)];
      member.weakest = growth_.weakest[row];
      const std::uint32_t group = growth_.group[row];
      const std::uint32_t first = growth_.first[row];
      if (group != kNoGroup) {
        member.name = names.of_older(clusters_.text(group + 1));
        ++joined_;
        continue;
      }
      if (!named.contains(first)) named[first] = names.of_new(first);
      member.name = named[first];
      (member.size > 1 ? grouped_ : single_) += 1;
      if (member.size > 1 && first == row) ++new_groups_;
    }
  }

  void count_sizes() {
    for (const std::uint32_t group : group_of_) ++sizes_[{group, 0}];
    for (std::uint32_t row = 0; row < fresh_.rows; ++row) {
      if (fresh_.places.corpus.state(row) != RowState::skipped) ++sizes_[size_key(row)];
    }
  }

  // The older group of a row, or kNoGroup and the first record of its new group.
  [[nodiscard]] SizeKey size_key(std::uint32_t row) const {
    const std::uint32_t group = growth_.group[row];
    return {group, group == kNoGroup ? growth_.first[row] : 0};
  }

  // Reports, for each new record that joins a group, the likeliest record of that group.
  void tell(const std::vector<ScoredLink>& links, LinkedRows& found) const {
    found.rules_text = link_rules_text(rules_, {});
    LinkedRowsWriter told(rules_, *across_, names_, found);
    std::vector<const ScoredLink*> best(fresh_.rows);
    for (const ScoredLink& link : links) {
      if (link.right < fresh_.rows) continue;
      if (group_of_[link.right - fresh_.rows] != growth_.group[link.left]) continue;
      const ScoredLink*& before = best[link.left];
      if (before == nullptr || link.score > before->score) before = &link;
    }
    for (const ScoredLink* link : best) {
      if (link != nullptr) told.add_link({*link, across_->rules_of(link->left, link->right)});
    }
  }

  [[nodiscard]] std::string join_text(const WouldJoin& join) const {
    return fmt::format("{} and {}, by {}", group_name(join.left), group_name(join.right),
                       names_.of(join.record));
  }

  [[nodiscard]] std::string summary() const {
    std::string out = fmt::format("records     {} new, {} in {}\n", count_text(fresh_.rows),
                                  count_text(groups_.rows),
                                  plural_text(clusters_.distinct() - 1, "group", "groups"));
    for (const std::string& note : fresh_.notes) out += fmt::format("note        {}\n", note);
    out += fmt::format("candidates  {}\n", plural_text(candidates_, "pair", "pairs"));
    out +=
        fmt::format("joined      {} joined a group\n", plural_text(joined_, "record", "records"));
    out += fmt::format("new         {} formed {}; {} single\n",
                       plural_text(grouped_, "record", "records"),
                       plural_text(new_groups_, "group", "groups"), count_text(single_));
    const std::vector<WouldJoin>& joins = growth_.would_join;
    if (!joins.empty() && options_.join_groups) {
      out += fmt::format("groups      {} joined older ones: --pairs FILE lists them\n",
                         plural_text(joins.size(), "group", "groups"));
    } else if (!joins.empty()) {
      out += fmt::format(
          "would join  {} of groups, which stay apart: --pairs FILE lists them, "
          "--join-groups joins them\n",
          plural_text(joins.size(), "pair", "pairs"));
    }
    for (std::size_t i = 0; i < std::min(joins.size(), kShownJoins); ++i) {
      out += fmt::format("            {} (probability {:.3f})\n", join_text(joins[i]),
                         joins[i].probability);
    }
    out += fmt::format("cut         probability {:.3f}, on average in a group\n", cut_);
    out += fmt::format(
        "time        {:.1f} s, peak memory {}\n",
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count(),
        bytes_text(peak_memory_bytes()));
    return out;
  }

  void write_joins(std::string_view name, bool is_asked, JsonWriter& json) const {
    json.begin_array(name);
    const std::span<const WouldJoin> joins(growth_.would_join);
    for (const WouldJoin& join : joins.first(is_asked ? joins.size() : 0)) {
      json.object({{"left", group_name(join.left)},
                   {"right", group_name(join.right)},
                   {"id", names_.of(join.record)},
                   {"probability", join.probability}});
    }
    json.end_array();
  }

  [[nodiscard]] std::string summary_json() const {
    JsonWriter json(1);
    json.begin_object();
    json.members({{"records", fresh_.rows},
                  {"older_records", groups_.rows},
                  {"older_groups", clusters_.distinct() - 1},
                  {"candidates", candidates_},
                  {"joined", joined_},
                  {"new_groups", new_groups_},
                  {"in_new_groups", grouped_},
                  {"single", single_}});
    write_joins("would_join", !options_.join_groups, json);
    write_joins("joined_groups", options_.join_groups, json);
    json.end_object();
    return json.text() + "\n";
  }

  RunReport finish() {
    if (rows_.file) {
      write_grown_groups({fresh_, groups_, members_, joined_groups(*group_names_)},
                         {groups_.places.inputs, groups_.places.corpus, pool_, hooks_},
                         *rows_.file);
    }
    if (pairs_) {
      for (const WouldJoin& join : growth_.would_join) {
        const std::string left = group_name(join.left);
        const std::string right = group_name(join.right);
        const std::string id = names_.of(join.record);
        pairs_->row({std::string_view(left), std::string_view(right), std::string_view(id),
                     Decimal{join.probability}});
      }
    }
    RunReport report;
    report.rows = table_.size();
    report.pairs = joined_;
    report.summary = summary();
    report.stats = summary_json();
    if (stats_) stats_->write(report.stats);
    for (const RecordRows* rows : {&fresh_, &groups_}) require_unchanged(rows->places.inputs);
    pool_.check_cancelled();
    rows_.finish();
    if (pairs_) pairs_->finish();
    if (stats_) stats_->finish();
    if (stats_) stats_->commit();
    if (pairs_) pairs_->commit();
    rows_.commit();
    return report;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  const RunHooks& hooks_;
  Settings settings_;
  ThreadPool pool_;
  Scratch scratch_;
  LinkRules rules_;
  double cut_ = kEvenChance;
  RecordRows fresh_;
  RecordRows groups_;
  RecordColumn clusters_;                    // cluster_id of the older records
  std::optional<RecordColumn> probability_;  // column of older records
  std::vector<std::uint32_t> group_of_;      // by older record: value of its cluster_id, less one
  std::uint32_t skipped_ = 0;                // older rows left out
  RecordTable table_;
  RecordNames names_;
  std::optional<RecordLinker> across_;
  std::vector<RecordPair> always_;
  GroupGrowth growth_;
  std::map<SizeKey, std::uint64_t> sizes_;
  std::optional<GroupNames> group_names_;
  std::vector<NewMember> members_;  // by new record
  std::uint64_t candidates_ = 0;
  std::uint64_t joined_ = 0;      // new records in older groups
  std::uint64_t grouped_ = 0;     // new records in new groups of two or more
  std::uint64_t new_groups_ = 0;  // groups of two or more
  std::uint64_t single_ = 0;
  RowsOutput rows_;
  std::unique_ptr<TableWriter> pairs_;
  std::unique_ptr<OutputFile> stats_;
};

}  // namespace

RunReport add_to_groups(const Options& options, const RunHooks& hooks, LinkedRows* found) {
  return GroupRun(options, hooks).run(found);
}

}  // namespace sosie
