// Verb link: finds records of the same entity, within one collection or between two.
#include "sosie/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "cluster/average_linkage.h"
#include "core/count_text.h"
#include "corpus/count_inputs.h"
#include "corpus/rank_rows.h"
#include "io/scratch.h"
#include "join/records/record_linker.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "options/tells.h"
#include "report/annotations.h"
#include "report/golden_rows.h"
#include "report/grouped_records.h"
#include "report/link_files.h"
#include "report/link_report.h"
#include "report/link_sample.h"
#include "report/link_table.h"
#include "report/linked_rows.h"
#include "report/save_links.h"
#include "report/save_run.h"
#include "sosie/error.h"
#include "store/saved_model.h"
#include "verbs/link/add_to_groups.h"
#include "verbs/link/label_strata.h"
#include "verbs/link/link_decision.h"
#include "verbs/link/link_inputs.h"
#include "verbs/link/link_method.h"
#include "verbs/link/link_watcher.h"
#include "verbs/link/links_to_review.h"
#include "verbs/link/suggest_links.h"

namespace sosie {
namespace {

constexpr std::string_view kAssignGroups = "groups";  // --assign: see add_to_groups.h
constexpr std::size_t kShownGroups = 4;               // groups whose weakest pairs a report shows
constexpr double kWeakPair = 0.01;  // a group with a pair below this may be two groups

class LinkRun {
 public:
  LinkRun(const Options& options, const RunHooks& hooks, LinkedRows* found,
          LinkWatcher* watcher = nullptr)
      : options_(options),
        hooks_(hooks),
        found_(found),
        watcher_(watcher),
        settings_(resolve_run(options)),
        pool_(settings_.threads, hooks.cancel),
        scratch_(settings_.scratch, settings_.scratch_limit_bytes) {}

  RunReport run() {
    check_options();
    checks_ = checks_of(options_);
    inputs_ = read_link_inputs(
        {.options = options_, .settings = settings_, .pool = pool_, .hooks = hooks_}, checks_);
    check_files();
    if (meets_groups()) {
      inputs_ = {};
      return add_to_groups(options_, hooks_, found_);
    }
    if (options_.init) return write_rules();
    keep_asked_columns();
    make_link_fields(inputs_);
    names_ = {&inputs_.left.ids, inputs_.right ? &inputs_.right->ids : nullptr, inputs_.table.left};
    if (watcher_ != nullptr) watcher_->read(inputs_, names_, pool_);
    method_ = method_of(rules());
    check_method();
    if (!options_.dry_run && watcher_ == nullptr) open_outputs();
    if (found_ != nullptr) found_->rules_text = link_rules_text(rules(), inputs_.chosen.notes);
    linker_.emplace(inputs_.table, rules(), memory_of_linker(), pool_, scratch_);
    if (options_.dry_run) return foretell();
    pair_score_ = pair_score_of(method_, rules(), inputs_.table, linker_->memory(), pool_);
    find_and_score();
    if (found_ != nullptr) told_.emplace(rules(), *linker_, names_, *found_);
    const LinkDecisionTask task{inputs_,
                                checks_,
                                method_,
                                pair_score_.get(),
                                *linker_,
                                pool_,
                                settings_.memory_bytes,
                                method_.has_odds() && inputs_.judgements.teach()};
    count_partners(task);
    take_judgements(task);
    LinkDecision decision(task, facts_);
    if (watcher_ != nullptr) return watched(task, decision);
    if (across()) {
      write_links(decision);
    } else {
      write_groups(decision);
    }
    decision.judge();
    judge_by_judgements(decision);
    if (asks() && files_.output) {
      facts_.judgements.asked =
          suggest_links(task, decision, asked_, names_, options_.suggest, *files_.output);
    }
    if (files_.saved) choose_reviewed(task, decision);
    return finish();
  }

 private:
  // True if the other collection contains groups from link and --model names the weights for adding
  // records. Standard input cannot be reread for this test, so it is linked normally.
  [[nodiscard]] bool meets_groups() const {
    if (!across() || is_given(options_, "assign") || options_.init || watcher_ != nullptr)
      return false;
    const std::vector<std::string>& fields = inputs_.right->fields;
    for (const std::string_view name : link_field_names(/*across=*/false)) {
      if (std::find(fields.begin(), fields.end(), name) == fields.end()) return false;
    }
    std::error_code none;
    const bool has_model =
        std::filesystem::is_regular_file(options_.model, none) &&
        std::find(options_.inputs.begin(), options_.inputs.end(), "-") == options_.inputs.end();
    if (tells(options_, hooks_)) {
      hooks_.on_message(fmt::format(
          "{}: contains groups from link; {}", options_.against.front(),
          has_model ? "new records are added to them (--assign auto links the two instead)"
                    : "to add records to them, use --assign groups --model FILE.json of the run "
                      "that made them"));
    }
    return has_model;
  }

  [[nodiscard]] bool by_model() const noexcept {
    return method_.method == ScoreMethod::fellegi_sunter;
  }
  [[nodiscard]] bool across() const noexcept { return !options_.against.empty(); }
  [[nodiscard]] const LinkRules& rules() const noexcept { return inputs_.chosen.rules; }

  // True if the output consists of pairs for a person to label.
  [[nodiscard]] bool asks() const noexcept { return options_.suggest > 0; }
  [[nodiscard]] TableWriter* output_of_answer() const noexcept {
    return asks() ? nullptr : files_.output.get();
  }

  // Keeps columns in their original form for --suggest, before fields are built from them.
  void keep_asked_columns() {
    if (!asks()) return;
    asked_.left = inputs_.left.columns;
    if (inputs_.right) asked_.right = inputs_.right->columns;
  }

  [[nodiscard]] std::uint64_t memory_of_linker() const noexcept {
    return settings_.memory_bytes - std::min(settings_.memory_bytes / 2, asked_.memory_bytes());
  }

  void tell(const std::string& message) const {
    if (hooks_.on_message) hooks_.on_message(message);
  }

  void check_options() const {
    if (options_.inputs.empty() && options_.files_from.empty()) {
      throw Error(ErrorKind::invalid_option, "link: no input", "sosie link people.csv");
    }
    check_records_output();
    if (across() && !options_.pairs.empty() && !writes_records(options_)) {
      throw Error(
          ErrorKind::invalid_option, RefusedOption{"pairs"},
          "works only within one collection; with --against, the output contains the pairs");
    }
    if (options_.assign == kAssignGroups) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"assign", options_.assign},
                  "needs a run that writes rows", "leave it out");
    }
    if (!across() && !options_.assign.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"assign", options_.assign},
                  "needs two collections; records of a single one are grouped",
                  "use --against OTHER");
    }
    if (options_.init && !options_.rules.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"init"},
                  "cannot be combined with --rules");
    }
    check_suggest();
    check_save();
    check_join_groups();
    if (options_.init && options_.dry_run) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"dry-run"},
                  "cannot be combined with --init");
    }
  }

  // Rejects options that request an output other than pairs to label.
  void check_suggest() const {
    if (!asks()) return;
    const auto refuse = [](std::string_view name) {
      throw Error(ErrorKind::invalid_option, RefusedOption{std::string(name)},
                  "cannot be combined with --suggest, whose output is pairs to label",
                  "omit one of them; writing rows needs a separate run");
    };
    if (!options_.annotate.empty()) refuse("annotate");
    if (!options_.golden.empty()) refuse("golden");
    if (is_given(options_, "keep")) refuse("keep");
    if (options_.init) refuse("init");
    if (options_.dry_run) refuse("dry-run");
    if (is_given(options_, "save")) refuse("save");
    if (found_ != nullptr && options_.output.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"suggest"}, "needs a file for the pairs",
                  "name it by output");
    }
  }

  void check_join_groups() const {
    if (!options_.join_groups) return;
    throw Error(ErrorKind::invalid_option, RefusedOption{"join-groups"},
                "needs --assign groups: only groups of an earlier run can be joined",
                "leave it out, or link NEW --against GROUPS --assign groups");
  }

  // Rejects saving a run that links nothing.
  void check_save() const {
    if (!is_given(options_, "save") || (!options_.init && !options_.dry_run)) return;
    throw Error(ErrorKind::invalid_option, RefusedOption{"save"},
                fmt::format("cannot be combined with --{}, which links nothing",
                            options_.init ? "init" : "dry-run"),
                "leave one of them out");
  }

  // Rejects options that request rows if this run writes none.
  void check_records_output() const {
    if (across() && is_given(options_, "keep")) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"keep", options_.keep},
                  "linking two collections removes no rows",
                  "--annotate all adds to each row the record it is linked to");
    }
    if (across() && options_.annotate == "kept") {
      throw Error(ErrorKind::invalid_option, RefusedOption{"annotate", options_.annotate},
                  "linking two collections removes no rows", "use --annotate all");
    }
    if (!options_.golden.empty() && (across() || !options_.annotate.empty())) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"golden", options_.golden.front()},
                  across()
                      ? "works only within one collection"
                      : "writes one row of each group, but --annotate writes all rows unchanged",
                  across() ? "" : "use one of them");
    }
    if (!options_.clusters.empty() && (across() || !writes_records(options_))) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"clusters"},
                  across() ? "works only within one collection; --pairs writes the links"
                           : "needs a run that writes rows (--annotate, --golden, --keep)",
                  across() ? "" : "the output contains the groups; use -o FILE");
    }
  }

  // Rejects outputs that are also inputs.
  void check_files() const {
    check_outputs(inputs_.left.places.inputs, options_, result_of(options_, hooks_));
    if (inputs_.right) check_outputs(inputs_.right->places.inputs, options_);
    check_outputs(files_of_rules(), options_);
  }

  // The rules file, the tables and the model that it names, and the truth file.
  [[nodiscard]] std::vector<std::string> files_of_rules() const {
    std::vector<std::string> files = {options_.rules, checks_.truth_file, rules().model,
                                      options_.labels};
    files.insert(files.end(), options_.reuse.begin(), options_.reuse.end());
    for (const LinkField& field : rules().fields) files.push_back(field.nickname_path);
    return files;
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
    report.summary =
        fmt::format("rules       of {}\n", plural_text(rules().fields.size(), "field", "fields"));
    for (const std::string& note : inputs_.chosen.notes) {
      report.summary += fmt::format("note        {}\n", note);
    }
    return report;
  }

  void find_and_score() {
    if (pair_score_) {
      linker_->find_for(*pair_score_);
    } else if (rules().model.empty()) {
      linker_->learn();
    } else {
      SavedModel saved = load_model(rules().model, rules(), inputs_.table, hooks_.cancel);
      linker_->take(std::move(saved.model), std::move(saved.shares), saved.decisions);
    }
    for (const std::string& warning : linker_->warnings()) tell(warning);
  }

  // Tells the scores of a single collection how many partners a record has in groups at even odds.
  // This raises the scores, so it is repeated until the number hardly changes.
  void count_partners(LinkDecisionTask task) {
    constexpr int kMostRounds = 8;
    if (across() || !pair_score_ || !pair_score_->has_odds()) return;
    task.ignores_cut = true;
    for (int round = 0; round < kMostRounds; ++round) {
      LinkFacts facts;
      LinkDecision decision(task, facts);
      if (!pair_score_->learn_groups(decision.groups().first)) return;
    }
  }

  // Learns from labels and treats all judgements as certain.
  void take_judgements(const LinkDecisionTask& task) {
    const LinkJudgements& judged = inputs_.judgements;
    for (const std::string& message : judged.messages) tell(message);
    if (judged.known.is_empty()) return;
    if (has_labels() && has_strata()) {
      if (judged.teach()) linker_->learn_from(judged.labels->pairs, rules().model.empty());
      facts_.judgements.are_learnt = judged.teach();
      LinkFacts of_free;
      LinkDecision free(task, of_free);
      if (across()) {
        static_cast<void>(free.links());
      } else {
        static_cast<void>(free.groups());
      }
      strata_.emplace(free, inputs_.table);
    }
    linker_->know(judged.known);
  }

  [[nodiscard]] bool has_labels() const {
    const std::optional<LinkLabels>& labels = inputs_.judgements.labels;
    return labels && !labels->pairs.empty();
  }
  // True if scored pairs have probabilities, by which they can be divided into strata.
  [[nodiscard]] bool has_strata() const { return linker_->has_model() || method_.by_words; }

  // Counts how far judgements were followed, and evaluates the answer by labels, given or to come.
  void judge_by_judgements(const LinkDecision& decision) {
    const LinkJudgements& judgements = inputs_.judgements;
    const bool are_learnt = facts_.judgements.are_learnt;
    facts_.judgements = facts_of(judgements);
    facts_.judgements.are_learnt = are_learnt;
    for (const Judgement& judged : judgements.known.pairs) {
      facts_.judgements.left_out += judged.is_match && !decision.is_linked(judged.pair) ? 1 : 0;
    }
    if (files_.saved && !strata_ && has_strata()) {
      linker_->memory().require(LabelStrata::kBytesOfPair * decision.scored().size(),
                                "strata of pairs");
      strata_.emplace(decision, inputs_.table);
    }
    if (!strata_ || facts_.estimates.empty() || facts_.links == 0) return;
    basis_ = strata_->basis_of(decision, *linker_, facts_);
    if (!has_labels()) return;
    add_label_estimate(*basis_, strata_->labelled(judgements.labels->pairs, decision, *linker_),
                       facts_);
  }

  // Chooses the pairs of a saved run, with the strata to which their labels will belong.
  void choose_reviewed(const LinkDecisionTask& task, const LinkDecision& decision) {
    reviewed_ = links_to_review(task, decision, first_, facts_.cut_probability);
    if (!basis_) return;
    for (SavedLink& each : reviewed_) {
      each.stratum = RunPair::stratum_at(strata_->place_of(each.link.pair()));
    }
  }

  // Rejects options that need a model if there is none.
  void check_method() const {
    if (by_model()) return;
    const std::string reason = fmt::format("works only with fellegi-sunter, not with {}",
                                           score_method_name(method_.method));
    if (checks_.each_field) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"check-by", "auto"}, reason,
                  "name a field: --check-by FIELD");
    }
    if (!options_.model.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"model", options_.model}, reason);
    }
  }

  void open_outputs() {
    const Inputs& rows = inputs_.left.places.inputs;
    if (writes_records(options_) && rows.list.front().memory) {
      throw Error(ErrorKind::unsupported,
                  RefusedOption{!options_.annotate.empty() ? "annotate"
                                : !options_.golden.empty() ? "golden"
                                                           : "keep"},
                  "works only on files; in memory, the result has the group of each row");
    }
    if (!options_.annotate.empty()) check_annotate(rows, link_field_names(across()));
    if (!options_.golden.empty()) check_golden(rows, inputs_.left.fields, options_.golden);
    if (is_given(options_, "save")) {
      check_saved_links(options_, rows, inputs_.right ? &inputs_.right->places.inputs : nullptr);
    }
    files_.open({options_, hooks_, rules(), rows, pool_, by_model(), found_ == nullptr,
                 asks() ? suggestion_columns(asked_) : std::vector<std::string>()});
  }

  // Writes the rows of the first collection for which `keep` is true, with the decisions on them.
  void write_records(const KeepRow& keep, AddFields added) {
    const ItemPlaces& places = inputs_.left.places;
    Annotations annotations(places.inputs, places.corpus, std::move(added));
    write_rows({places.inputs, places.corpus, pool_, hooks_}, keep,
               options_.annotate.empty() ? RowEdits{} : annotations.edits(), files_.rows);
  }

  void write_golden(const RecordGroups& groups, const GroupedRecords& grouped) {
    const ItemPlaces& places = inputs_.left.places;
    GoldenRows golden({places.inputs, places.corpus, groups, grouped, names_, inputs_.left.fields,
                       settings_.memory_bytes},
                      options_.golden);
    write_rows(
        {places.inputs, places.corpus, pool_, hooks_},
        [&](RowId row) { return grouped.kept_of(row) == row; }, golden.edits(), files_.rows);
    if (!golden.number_like().empty()) {
      inputs_.chosen.notes.push_back(rank_note(golden.number_like(), "--golden"));
    }
  }

  // Finds only the candidates, and reports what they cost.
  RunReport foretell() {
    linker_->find();
    describe();
    facts_.candidates.seconds_a_pair = linker_->seconds_a_pair() / pool_.size();
    RunReport report;
    report.rows = inputs_.table.size();
    report.summary = link_dry_run(facts_);
    report.stats = link_dry_run_json(facts_);
    if (const auto stats = open_stats(options_, hooks_)) {
      stats->write(report.stats);
      stats->finish();
      stats->commit();
    }
    return report;
  }

  // Makes the decisions and reports them only to the watcher.
  RunReport watched(const LinkDecisionTask& task, LinkDecision& decision) {
    if (across()) {
      const std::vector<CandidateLink> links = decision.links();
      watcher_->decided({task, decision, facts_, links, nullptr});
    } else {
      const RecordGroups groups = decision.groups();
      watcher_->decided({task, decision, facts_, {}, &groups});
    }
    require_unchanged(inputs_.left.places.inputs);
    if (inputs_.right) require_unchanged(inputs_.right->places.inputs);
    pool_.check_cancelled();
    RunReport report;
    report.rows = inputs_.table.size();
    return report;
  }

  void write_links(LinkDecision& decision) {
    LinkTable table(rules(), *linker_, names_, by_model());
    const std::vector<CandidateLink> links = decision.links();
    sample_of_links(decision, links);
    if (files_.saved) first_ = first_by_links(links, inputs_.table.size());
    for (const CandidateLink& link : links) {
      const CandidateLink judged = decision.judged(link);
      if (TableWriter* const out = output_of_answer()) table.write(judged, *out);
      if (told_) told_->add_link(judged);
      decision.count(link);
    }
    write_records([](RowId) { return true; }, partner_fields(names_, links));
  }

  void write_groups(LinkDecision& decision) {
    const RecordGroups groups = decision.groups();
    if (files_.saved) first_ = groups.first;
    const GroupedRecords grouped(groups, inputs_.left.places.corpus, settings_);
    for (const RecordGroup& group : groups.groups) {
      facts_.groups += 1;
      facts_.grouped += group.size;
      facts_.weak_groups += group.probability < kWeakPair ? 1 : 0;
    }
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      if (inputs_.left.places.corpus.state(record) == RowState::skipped) continue;
      const std::uint32_t kept = grouped.kept_of(record);
      const RecordGroup* group = grouped.group_of(record);
      if (TableWriter* const out = output_of_answer()) {
        write_record(names_, record, kept, group, *out);
      }
      if (told_) told_->add_record(record, kept, group);
    }
    if (options_.golden.empty()) {
      write_records(
          [&](RowId row) { return options_.annotate == "all" || grouped.kept_of(row) == row; },
          group_fields(names_, grouped));
    } else {
      write_golden(groups, grouped);
    }
    write_pairs(groups, decision);
    if (!shows_page()) return;
    sample_ = sample_links(decision.scored(), facts_.cut.score, [&](const CandidateLink& link) {
      return groups.first[link.link.left] == groups.first[link.link.right];
    });
    add_weakest(groups);
    judge_sample(decision);
  }

  // True if a sample of the pairs is shown on the page of a report or a saved run.
  [[nodiscard]] bool shows_page() const noexcept {
    return files_.report != nullptr || files_.saved != nullptr;
  }

  // Puts the least likely pairs of groups first; they need not be candidates.
  void add_weakest(const RecordGroups& groups) {
    std::vector<RecordGroup> weakest(kShownGroups);
    const auto end = std::partial_sort_copy(
        groups.groups.begin(), groups.groups.end(), weakest.begin(), weakest.end(),
        [](const RecordGroup& a, const RecordGroup& b) { return a.probability < b.probability; });
    std::vector<ShownLink> shown;
    for (auto group = weakest.begin(); group != end; ++group) {
      const auto [left, right] = group->weakest;
      CandidateLink link = linker_->score_pair(left, right);
      link.rules = linker_->rules_of(left, right);
      shown.push_back({"weakest pair of a group", link});
    }
    std::erase_if(sample_.shown, [](const ShownLink& link) { return link.why == "weakest link"; });
    sample_.shown.insert(sample_.shown.begin(), shown.begin(), shown.end());
  }

  void sample_of_links(const LinkDecision& decision, const std::vector<CandidateLink>& links) {
    if (!shows_page()) return;
    std::vector<RecordPair> linked;
    linked.reserve(links.size());
    for (const CandidateLink& link : links) linked.push_back(link.link.pair());
    std::sort(linked.begin(), linked.end());
    sample_ = sample_links(decision.scored(), facts_.cut.score, [&](const CandidateLink& link) {
      return std::binary_search(linked.begin(), linked.end(), link.link.pair());
    });
    judge_sample(decision);
  }

  void judge_sample(const LinkDecision& decision) {
    for (ShownLink& shown : sample_.shown) shown.link = decision.judged(shown.link);
  }

  // Writes the pairs of records within each group, in input order, if requested; counts them.
  void write_pairs(const RecordGroups& groups, LinkDecision& decision) {
    std::vector<std::vector<std::uint32_t>> members(inputs_.table.size());
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      members[groups.first[record]].push_back(record);
    }
    LinkTable table(rules(), *linker_, names_, by_model());
    for (std::uint32_t record = 0; record < inputs_.table.size(); ++record) {
      pool_.check_cancelled();
      const std::vector<std::uint32_t>& group = members[groups.first[record]];
      if (group.size() > 1 && group.front() == record) decision.count_group(group);
      if (!lists_pairs() || group.size() == 1) continue;
      const std::vector<CandidatePartner> partners = linker_->partners_of(record);
      for (auto other = std::upper_bound(group.begin(), group.end(), record); other != group.end();
           ++other) {
        CandidateLink link = decision.judged(linker_->score_pair(record, *other));
        link.rules = rules_in(partners, *other);
        if (files_.pairs) table.write(link, *files_.pairs);
        if (told_ && found_->wants_pairs) told_->add_link(link);
      }
    }
  }

  [[nodiscard]] bool lists_pairs() const noexcept {
    return files_.pairs != nullptr || (found_ != nullptr && found_->wants_pairs);
  }

  void describe_files(const ItemPlaces& places) {
    for (const BlockFacts& block : places.corpus.facts) {
      facts_.skipped += block.skipped;
      facts_.unmatched += block.unmatched;
      facts_.bad_lines += block.bad_lines;
      facts_.ill_formed += block.ill_formed;
      if (number_like_.empty()) number_like_ = block.number_like;
    }
    list_unusual(places.inputs, facts_.encodings, facts_.dialects);
  }

  // Facts about the inputs, rules and candidates.
  void describe() {
    facts_.rules = &rules();
    facts_.method = method_.method;
    facts_.method_reason = method_.reason;
    facts_.has_odds = method_.has_odds();
    facts_.has_rules_file = !options_.rules.empty();
    facts_.table = &inputs_.table;
    facts_.linker = &*linker_;
    facts_.notes = inputs_.chosen.notes;
    facts_.inputs = inputs_.left.places.inputs.notes;
    if (inputs_.right) facts_.inputs.append(inputs_.right->places.inputs.notes);
    facts_.names = &names_;
    add_field_notes(inputs_.table, facts_.notes);
    describe_files(inputs_.left.places);
    if (inputs_.right) describe_files(inputs_.right->places);
    if (!number_like_.empty()) facts_.notes.push_back(rank_note(number_like_));
    CandidateFacts& candidates = facts_.candidates;
    candidates.rules = &rules();
    candidates.table = &inputs_.table;
    candidates.findings = &linker_->findings();
    measure();
  }

  // Fills in the time and memory used so far.
  void measure() {
    facts_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    facts_.peak_memory = peak_memory_bytes();
  }

  RunReport finish() {
    describe();
    facts_.candidates.pairs = linker_->counts().of_rule;
    facts_.candidates.only = linker_->counts().only_rule;
    facts_.candidates.only_links.resize(rules().candidates.size());
    facts_.candidates.lost = linker_->lost_matches();
    if (files_.model) {
      files_.model->write(
          model_to_json(rules(), linker_->model(), inputs_.table, linker_->decisions()));
    }
    if (files_.report) files_.report->write(link_report(options_, facts_, sample_));
    if (files_.saved) {
      save_links(options_, facts_,
                 {inputs_.left.places, inputs_.right ? &inputs_.right->places : nullptr, names_,
                  first_, reviewed_, sample_.bins, reviewed_columns(inputs_), basis_},
                 *files_.saved);
    }
    if (hooks_.on_progress) hooks_.on_progress({"finishing", 0, 0});
    files_.finish();
    require_unchanged(inputs_.left.places.inputs);
    if (inputs_.right) require_unchanged(inputs_.right->places.inputs);
    pool_.check_cancelled();
    measure();
    RunReport report;
    report.rows = inputs_.table.size();
    report.pairs = facts_.links;
    report.summary = link_summary(facts_);
    report.stats = link_summary_json(facts_);
    if (files_.stats) files_.stats->write(report.stats);
    files_.commit();
    return report;
  }

  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const Options& options_;
  const RunHooks& hooks_;
  LinkedRows* found_;     // null: not requested
  LinkWatcher* watcher_;  // null: no watcher; otherwise, nothing is written
  Settings settings_;
  ThreadPool pool_;
  Scratch scratch_;
  LinkInputs inputs_;
  RecordNames names_;
  std::optional<RecordLinker> linker_;
  std::string number_like_;  // see number_like_text()
  LinkFacts facts_;
  std::optional<LinkedRowsWriter> told_;  // fills *found_
  LinkFiles files_;
  LinkSample sample_;  // for a page
  LinkChecks checks_;
  LinkMethod method_;
  std::unique_ptr<PairScore> pair_score_;  // null: a model
  QuestionColumns asked_;                  // for --suggest
  std::optional<LabelStrata> strata_;      // for labels, given or to come
  std::optional<LabelBasis> basis_;        // likewise, for the answer
  std::vector<std::uint32_t> first_;       // for --save, by record: the first in its group
  std::vector<SavedLink> reviewed_;        // likewise
};

}  // namespace

RunReport link(const Options& options, const RunHooks& hooks) {
  expect_other(options);
  if (options.assign == kAssignGroups) return add_to_groups(options, hooks, nullptr);
  return LinkRun(options, hooks, nullptr).run();
}

RunReport watch_link(const Options& options, const RunHooks& hooks, LinkWatcher& watcher) {
  return LinkRun(options, hooks, nullptr, &watcher).run();
}

RunReport link_rows(const Options& options, const RunHooks& hooks, LinkedRows& found) {
  if (options.assign == kAssignGroups) return add_to_groups(options, hooks, &found);
  return LinkRun(options, hooks, &found).run();
}

}  // namespace sosie
