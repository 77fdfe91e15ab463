// explain for records: why a link run links two records, or which step lost the pair.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "corpus/count_inputs.h"
#include "corpus/items/record_keys.h"
#include "corpus/shown_text.h"
#include "data/kinds.h"
#include "io/output_file.h"
#include "join/sets/set_run.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "options/refuse_options_of_others.h"
#include "report/record_explanation.h"
#include "report/row_of_id.h"
#include "sosie/error.h"
#include "verbs/link/link_watcher.h"
#include "verbs/link/lost_candidate.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

std::string names_of(const PairRule& rule, const LinkRules& rules) {
  std::string names;
  for (const std::uint32_t f : rule) {
    if (!names.empty()) names += '&';
    names += rules.fields[f].name;
  }
  return names;
}

// Explains two records by the decisions of a link run.
class RecordExplainer final : public LinkWatcher {
 public:
  RecordExplainer(const Options& options, const RunHooks& hooks, std::array<std::string, 2> ids)
      : options_(options), hooks_(hooks), ids_(std::move(ids)) {}

  void read(const LinkInputs& inputs, const RecordNames& names, ThreadPool& pool) override {
    inputs_ = &inputs;
    names_ = &names;
    pool_ = &pool;
    check_outputs(inputs.left.places.inputs, options_);
    if (inputs.right) check_outputs(inputs.right->places.inputs, options_);
    tell_unusual(inputs.left.places.inputs, options_, hooks_);
    if (inputs.right) tell_unusual(inputs.right->places.inputs, options_, hooks_);
    find_records();
    for (std::size_t i = 0; i < 2; ++i) {
      explanation_.records[i] = {names.of(shown_[i]), place_of(shown_[i])};
    }
  }

  void decided(const LinkOutcome& outcome) override {
    outcome_ = &outcome;
    if (shown_[0] == shown_[1]) {
      explanation_.verdict = "Left and right are the same row.";
      return;
    }
    pair_ = {std::min(shown_[0], shown_[1]), std::max(shown_[0], shown_[1])};
    link_ = linker().score_pair(pair_.left, pair_.right);
    link_.rules = linker().rules_of(pair_.left, pair_.right);
    for (const CandidateLink& link : outcome.decision.scored()) {
      if (link.link.pair() == pair_) link_ = link;  // includes competition for partners
    }
    link_ = outcome.decision.judged(link_);
    always_ = rule_naming(rules().always, [&](const PairRule& rule) { return agrees_in(rule); });
    never_ = rule_naming(rules().never, [&](const PairRule& rule) { return differs_in(rule); });
    explain_fields();
    explain_candidate();
    explain_score();
    explanation_.verdict = outcome.groups == nullptr ? verdict_on_link() : verdict_on_group();
    if (outcome.task.inputs.truth) {
      add("truth", outcome.task.inputs.truth->pairs.contains(pair_)
                       ? "one entity"
                       : "different entities, or not known");
    }
  }

  [[nodiscard]] const RecordExplanation& explanation() const noexcept { return explanation_; }

 private:
  static constexpr std::uint64_t kMostCompared = 100'000;  // pairs between two groups

  [[nodiscard]] const LinkRules& rules() const noexcept { return inputs_->chosen.rules; }
  [[nodiscard]] const RecordTable& table() const noexcept { return inputs_->table; }
  [[nodiscard]] const RecordLinker& linker() const noexcept { return outcome_->task.linker; }
  [[nodiscard]] bool by_model() const noexcept { return outcome_->task.pair_score == nullptr; }

  void add(std::string_view label, std::string text) {
    explanation_.lines.push_back({std::string(label), std::move(text)});
  }

  // Finds the records by their ids, in either order; with two collections, the ids have prefixes.
  void find_records() {
    if (!inputs_->right) {
      for (std::size_t i = 0; i < 2; ++i) shown_[i] = record_of(inputs_->left, ids_[i]);
      return;
    }
    if (ids_[0].starts_with("b:") && ids_[1].starts_with("a:")) std::swap(ids_[0], ids_[1]);
    if (!ids_[0].starts_with("a:") || !ids_[1].starts_with("b:")) {
      throw Error(ErrorKind::invalid_option,
                  "explain: with two collections, name one record of each",
                  "sosie explain a:ID b:ID INPUT... --against OTHER");
    }
    shown_[0] = record_of(inputs_->left, ids_[0].substr(2));
    shown_[1] = table().left + record_of(*inputs_->right, ids_[1].substr(2));
  }

  [[nodiscard]] std::uint32_t record_of(const RecordRows& rows, const std::string& id) const {
    return row_id(row_of_id(rows.places.inputs, rows.places.corpus, *pool_, id));
  }

  [[nodiscard]] std::string place_of(std::uint32_t record) const {
    const bool is_right = inputs_->right && record >= table().left;
    const ItemPlaces& places = is_right ? inputs_->right->places : inputs_->left.places;
    return place_of_row(places.inputs,
                        places.corpus.locator(is_right ? record - table().left : record));
  }

  [[nodiscard]] std::string name_of(std::uint32_t record) const {
    return shown_text(names_->of(record), kIdColumns);
  }

  // The first rule that the pair matches, as the names of its fields; empty if there is none.
  template <typename Names>
  [[nodiscard]] std::string rule_naming(const std::vector<PairRule>& all, const Names& names) {
    const auto found = std::find_if(all.begin(), all.end(), names);
    return found == all.end() ? std::string() : names_of(*found, rules());
  }

  [[nodiscard]] bool agrees_in(const PairRule& rule) const {
    const std::vector<std::uint32_t> keys = equal_record_keys(table(), rule, 0);
    return keys[pair_.left] != 0 && keys[pair_.left] == keys[pair_.right];
  }

  [[nodiscard]] bool differs_in(const PairRule& rule) const {
    LinkRules alone = rules();
    alone.never = {rule};
    return PairRules(table(), alone).is_never(pair_.left, pair_.right);
  }

  void explain_fields() {
    if (by_model()) explanation_.sum = link_.link.score;
    explanation_.fields = explained_fields(rules(), table(), linker(), link_, by_model());
    if (shown_[0] == pair_.left) return;
    for (RecordExplanation::Field& field : explanation_.fields) {
      std::swap(field.values[0], field.values[1]);
    }
  }

  void explain_candidate() {
    std::vector<std::string> found;
    const LostCandidate lost(table(), rules(), linker().memory(), *pool_);
    std::vector<std::string> not_found;
    for (std::size_t r = 0; r < rules().candidates.size(); ++r) {
      const CandidateRule& rule = rules().candidates[r];
      const std::string name = rule_name(rule, rules().fields);
      if ((link_.rules >> r & 1U) != 0) {
        found.push_back(name);
      } else {
        not_found.push_back(fmt::format("{}: {}", name, lost.reason(rule, shown_[0], shown_[1])));
      }
    }
    add("candidate", found.empty() ? "no rule found the pair"
                                   : fmt::format("found by {}", joined_text(found, " + ")));
    for (std::string& reason : not_found) {
      add("", found.empty() ? std::move(reason) : "not by " + reason);
    }
  }

  [[nodiscard]] std::string score_text(const ScoredLink& link) const {
    std::string text =
        outcome_->task.method.has_odds()
            ? fmt::format("{:.6f} bits", link.score)
            : fmt::format("{:.6f} of {:g}", link.score, outcome_->task.pair_score->greatest());
    if (link.probability >= 0) text += fmt::format(", probability {:.6f}", link.probability);
    return text;
  }

  void explain_score() {
    add("score", score_text(link_.link));
    const LinkFacts& facts = outcome_->facts;
    if (linker().counts().pairs == 0) {
      add("cut", "none: there are no candidates");
    } else if (facts.cut.links == 0) {
      add("cut", "no pair reaches it");
    } else if (outcome_->task.method.has_odds()) {
      add("cut",
          fmt::format("{:.6f} bits, probability {:.6f}", facts.cut.score, facts.cut_probability));
    } else {
      add("cut",
          fmt::format("{:.6f} of {:g}", facts.cut.score, outcome_->task.pair_score->greatest()));
    }
    if (linker().has_model()) explain_classes();
    if (table().across && outcome_->task.method.has_odds()) explain_rivals();
    if (!always_.empty()) add("always", fmt::format("the pair matches the rule {}", always_));
    if (!never_.empty()) add("never", fmt::format("the pair matches the rule {}", never_));
  }

  // Odds of each class of pairs against all others.
  void explain_classes() {
    const RecordComparer& comparer = linker().comparer();
    const std::vector<double> bits = linker().model().class_bits(
        comparer.grades(comparer.levels(pair_.left, pair_.right), pair_));
    const std::vector<PairClass>& classes = linker().model().classes();
    std::string text;
    for (std::size_t k = 0; k < bits.size(); ++k) {
      const std::string_view name = classes[k].is_match ? "match" : k == 1 ? "stranger" : "sibling";
      text += fmt::format("{}{} {:+.1f}", text.empty() ? "" : ", ", name, bits[k]);
    }
    add("odds", text + " bits");
  }

  // The best alternative partners of both records.
  void explain_rivals() {
    constexpr std::size_t kMostRivals = 3;
    std::vector<CandidateLink> rivals;
    for (const CandidateLink& link : outcome_->decision.scored()) {
      const bool shares = link.link.left == pair_.left || link.link.right == pair_.right;
      if (shares && link.link.pair() != pair_) rivals.push_back(link);
    }
    std::stable_sort(
        rivals.begin(), rivals.end(),
        [](const CandidateLink& a, const CandidateLink& b) { return a.link.score > b.link.score; });
    rivals.resize(std::min(rivals.size(), kMostRivals));
    for (const CandidateLink& rival : rivals) {
      add(&rival == rivals.data() ? "rivals" : "",
          fmt::format("{} and {}: {}", name_of(rival.link.left), name_of(rival.link.right),
                      score_text(rival.link)));
    }
  }

  // The step before the decisions that lost the pair; empty if none did.
  [[nodiscard]] std::string lost_before_decision() const {
    if (!never_.empty()) return fmt::format("the never rule {} keeps them apart", never_);
    if (!always_.empty()) return {};
    if (link_.rules == 0) return "no candidate rule found the pair";
    if (link_.link.score < outcome_->facts.cut.score) return "the score is below the cut";
    return {};
  }

  [[nodiscard]] std::string verdict_on_link() {
    explain_partners();
    const bool is_linked = is_link(pair_);
    if (is_linked) {
      return always_.empty() ? fmt::format("Linked: {}.", score_text(link_.link))
                             : fmt::format("Linked, by the always rule {}.", always_);
    }
    const std::string lost = lost_before_decision();
    if (!lost.empty()) return fmt::format("Not linked: {}.", lost);
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto partner = partner_of(shown_[i]);
      if (!partner || partner->link.pair() == pair_) continue;
      taken.push_back(fmt::format("{} has {}", i == 0 ? "left" : "right",
                                  name_of(other_of(*partner, shown_[i]))));
    }
    if (taken.empty()) {
      return outcome_->decision.is_probable(link_) ? "Not linked: the score is too low for a link."
                                                   : "Not linked: competing pairs of the same "
                                                     "records lower its probability below the cut.";
    }
    return fmt::format("Not linked: {} as a partner.", joined_text(taken, ", and "));
  }

  [[nodiscard]] bool is_link(const RecordPair& pair) const {
    return std::any_of(outcome_->links.begin(), outcome_->links.end(),
                       [&](const CandidateLink& link) { return link.link.pair() == pair; });
  }

  [[nodiscard]] static std::uint32_t other_of(const CandidateLink& link, std::uint32_t record) {
    return link.link.left == record ? link.link.right : link.link.left;
  }

  // The pair that gives a record a partner and thereby rules out this pair. If left records choose,
  // right records have no such pair.
  [[nodiscard]] std::optional<CandidateLink> partner_of(std::uint32_t record) const {
    if (rules().assign == Assign::all) return std::nullopt;
    if (rules().assign == Assign::best && record >= table().left) return std::nullopt;
    return outcome_->decision.partner_of(record);
  }

  void explain_partners() {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto partner = partner_of(shown_[i]);
      if (!partner || partner->link.pair() == pair_) continue;
      add(i == 0 ? "left has" : "right has",
          fmt::format("{}: {}{}", name_of(other_of(*partner, shown_[i])),
                      score_text(outcome_->decision.judged(*partner).link),
                      is_link(partner->link.pair()) ? "" : ", which is not a link either"));
    }
  }

  [[nodiscard]] std::string group_text(const std::vector<std::uint32_t>& members) const {
    const std::string name = name_of(members.front());
    if (members.size() == 1) return fmt::format("{}, alone", name);
    std::string text = fmt::format("{}, {} records", name, count_text(members.size()));
    for (const RecordGroup& group : outcome_->groups->groups) {
      if (group.first == members.front()) {
        text += fmt::format("; the weakest pair has probability {:.6f}", group.probability);
      }
    }
    return text;
  }

  [[nodiscard]] std::vector<std::uint32_t> members_of(std::uint32_t record) const {
    const std::vector<std::uint32_t>& first = outcome_->groups->first;
    std::vector<std::uint32_t> members;
    for (std::uint32_t other = 0; other < first.size(); ++other) {
      if (first[other] == first[record]) members.push_back(other);
    }
    return members;
  }

  [[nodiscard]] std::string verdict_on_group() {
    const std::vector<std::uint32_t> left = members_of(shown_[0]);
    const std::vector<std::uint32_t> right = members_of(shown_[1]);
    if (left == right) {
      add("group", group_text(left));
      return always_.empty() ? fmt::format("In one group: {}.", score_text(link_.link))
                             : fmt::format("In one group, by the always rule {}.", always_);
    }
    add("left group", group_text(left));
    add("right group", group_text(right));
    const std::string parted = explain_between(left, right);
    std::string lost = lost_before_decision();
    if (lost.empty()) lost = parted;
    return fmt::format("In different groups: {}.", lost);
  }

  // Describes how likely the pairs between two groups are. Returns why the groups were not merged.
  [[nodiscard]] std::string explain_between(const std::vector<std::uint32_t>& left,
                                            const std::vector<std::uint32_t>& right) {
    const PairRules never(table(), rules());
    double sum = 0;
    std::uint64_t pairs = 0;
    std::string parted;
    for (const std::uint32_t x : left) {
      pool_->check_cancelled();
      for (const std::uint32_t y : right) {
        if (pairs == kMostCompared) break;
        ++pairs;
        sum += linker().probability(std::min(x, y), std::max(x, y));
        if (parted.empty() && never.has_never() && never.is_never(x, y)) {
          parted = fmt::format("a never rule keeps {} and {} apart", name_of(x), name_of(y));
        }
      }
    }
    const bool are_all = pairs == std::uint64_t{left.size()} * right.size();
    add("between",
        fmt::format("average probability {:.6f} of {}{}", sum / static_cast<double>(pairs),
                    are_all ? "" : "the first ", plural_text(pairs, "pair", "pairs")));
    if (!parted.empty()) {
      add("", parted);
      return parted;
    }
    return "the groups are joined by the average over all of their pairs, which is below the cut";
  }

  const Options& options_;
  const RunHooks& hooks_;
  std::array<std::string, 2> ids_;
  const LinkInputs* inputs_ = nullptr;
  const RecordNames* names_ = nullptr;
  ThreadPool* pool_ = nullptr;
  const LinkOutcome* outcome_ = nullptr;
  std::array<std::uint32_t, 2> shown_{};  // the records in the requested order
  RecordPair pair_;                       // both in input order
  CandidateLink link_;
  std::string always_;  // rules that name the pair
  std::string never_;
  RecordExplanation explanation_;
};

}  // namespace

RunReport explain_records(const Options& options, const RunHooks& hooks, const std::string& left_id,
                          const std::string& right_id) {
  Options chosen = options;
  chosen.kind = kRecordItems;
  refuse_options_of_others(chosen);
  check_output_name("-o", options.output, "the explanation");
  chosen.output.clear();
  RecordExplainer explainer(options, hooks, {left_id, right_id});
  RunReport report = watch_link(chosen, hooks, explainer);
  report.summary =
      record_explanation_text(explainer.explanation(), text_style(options.color == "always"));
  if (!options.output.empty()) {
    OutputFile out(options.output);
    out.write(report.summary);
    out.commit();
  }
  return report;
}

}  // namespace sosie
