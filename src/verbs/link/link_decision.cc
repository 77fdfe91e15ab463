// Decides which scored pairs of `sosie link` are links, and estimates their quality.
#include "verbs/link/link_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "cluster/linked_component.h"
#include "core/rational.h"
#include "core/size_text.h"
#include "decide/one_to_one.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Candidates with a lower probability are never links, unless the cut is lower.
constexpr double kLeastKept = 0.01;
constexpr double kLikely = 0.5;
// Maximum number of candidates used for estimates, unless more of them are likely.
constexpr std::uint64_t kMostJudged = 1'000'000;
constexpr double kRounding = 1e-6;  // tolerance in bits
// Exceeds any sum of bits: a pair that is always a link takes precedence over all others.
constexpr double kBitsOfAlways = 1 << 18;

void sort_by_score(std::vector<CandidateLink>& links) {
  std::stable_sort(links.begin(), links.end(), [](const CandidateLink& a, const CandidateLink& b) {
    return a.link.score > b.link.score;
  });
}

}  // namespace

LinkDecision::LinkDecision(const LinkDecisionTask& task, LinkFacts& facts)
    : task_(task), facts_(facts) {
  const CutRule cut = cut_rule();
  least_kept_ = kLeastKept;
  if (cut.kind == CutRule::Kind::fixed) {
    least_kept_ = std::min(least_kept_, asked_cut());
  }
  least_scored_ = task.linker.probability_of_best(kMostJudged, least_kept_);
  links_ = task.linker.score(least_scored_);
  add_always();
}

// Lists the pairs that are always links, and scores them if there are two collections.
void LinkDecision::add_always() {
  if (!pair_rules().has_always()) return;
  task_.linker.memory().require(pair_rules().most_always() * kBytesOfChosenLink, "certain links");
  always_ = pair_rules().always(task_.pool);
  if (!across()) return;
  const std::size_t scored = links_.size();
  for (const RecordPair& pair : always_) {
    const auto end = links_.begin() + static_cast<std::ptrdiff_t>(scored);
    const auto found = std::lower_bound(
        links_.begin(), end, pair,
        [](const CandidateLink& link, const RecordPair& of) { return link.link.pair() < of; });
    if (found == end || found->link.pair() != pair) {
      links_.push_back(task_.linker.score_pair(pair.left, pair.right));
    }
  }
  std::sort(links_.begin(), links_.end(), [](const CandidateLink& a, const CandidateLink& b) {
    return a.link.pair() < b.link.pair();
  });
}

bool LinkDecision::is_always(const CandidateLink& link) const {
  return std::binary_search(always_.begin(), always_.end(), link.link.pair());
}

// The rule for the cut. A probability is converted to a match weight or, without a model, to a
// share of the highest score.
CutRule LinkDecision::cut_rule() const {
  constexpr std::string_view kPrecision = "precision:";
  const std::string& cut = rules().cut;
  if (cut == "auto" || task_.ignores_cut) return {};
  if (cut.starts_with(kPrecision)) {
    return {CutRule::Kind::precision,
            parse_bound(std::string_view(cut).substr(kPrecision.size()), BoundSide::not_below)
                ->value()};
  }
  return {CutRule::Kind::fixed, task_.linker.score_at(asked_cut()) - kRounding};
}

bool LinkDecision::is_probable(const CandidateLink& link) const {
  if (cut_rule().kind != CutRule::Kind::fixed || !task_.method.has_odds()) return true;
  return link.link.probability >= asked_cut() || is_always(link);
}

// True if links are one-to-one; false if each left record has its best partner.
bool LinkDecision::is_one_to_one() const noexcept {
  const Competition one_partner = task_.linker.one_partner();
  return across() && (by_model() ? one_partner.left && one_partner.right
                                 : rules().assign != Assign::all && rules().assign != Assign::best);
}

// True if each record in the left collection has one partner, for which pairs compete.
bool LinkDecision::is_one_each() const noexcept {
  return is_one_to_one() || (across() && by_model() && rules().assign == Assign::best &&
                             task_.linker.one_partner().left);
}

// Number of links to keep. If records have several partners, these are all links that are likelier
// than not. Otherwise, it is the larger of the model's number of such links and the number at which
// the runners-up estimate the highest F1, because either number is too small if its method fails.
// `links`: sorted by score.
std::size_t LinkDecision::links_to_keep(std::span<const CandidateLink> links) const {
  const bool stand_out = task_.method.by_words && !task_.knows_labels;
  if (across() && (stand_out || !is_one_each())) return links.size();
  std::size_t kept = links_of_model_;
  if (task_.method.by_words) return std::min(kept, links.size());
  if (estimates_) {
    const std::size_t others = estimates_->links_by_runners_up();
    kept = std::max(kept, others - std::min<std::size_t>(others, labelled_links()));
  }
  return std::min(kept, links.size());
}

// Number of links made by labels, to which the cut does not apply.
std::size_t LinkDecision::labelled_links() const noexcept {
  return task_.knows_labels ? facts_.certain : 0;
}

// Chooses the lowest score among links sorted by score, best first.
void LinkDecision::choose_cut(std::span<const CandidateLink> links) {
  CutRule rule = cut_rule();
  const bool knows_odds = task_.method.has_odds() && (by_model() || task_.knows_labels ||
                                                      rule.kind != CutRule::Kind::precision);
  if (!knows_odds) judge_ = judge_of_scores(rule);
  std::vector<JudgedScore> judged_scores;
  judged_scores.reserve(links.size());
  for (const CandidateLink& link : links) {
    judged_scores.push_back({link.link.score, judged(link).link.probability});
  }
  if (rule.kind == CutRule::Kind::best_f1 && task_.method.has_odds()) {
    if (task_.knows_labels && across()) {
      // Scaled probabilities show where F1 is highest, which need not be at a probability of one
      // half.
      links_of_model_ = sosie::choose_cut(judged_scores, task_.linker.matches(), rule).links;
    }
    const std::size_t kept = links_to_keep(links);
    rule = {CutRule::Kind::fixed,
            kept == 0 ? std::numeric_limits<double>::infinity() : links[kept - 1].link.score};
  }
  const double matches = judge_ ? estimates_->matches(*judge_) : task_.linker.matches();
  facts_.cut = sosie::choose_cut(judged_scores, matches, rule);
  const bool is_asked = cut_rule().kind == CutRule::Kind::fixed;
  if (facts_.cut.links == 0 && !is_asked) {
    facts_.cut_probability = 1;
    return;
  }
  const double least = facts_.cut.links == 0 ? rule.value + kRounding : facts_.cut.score;
  facts_.cut_probability = task_.linker.probability_at(least);
}

// Keeps those links by a single column that are likelier than not and clearly better than the best
// other pair of either record.
void LinkDecision::keep_outstanding(std::vector<CandidateLink>& links) const {
  constexpr double kBitsMore = 2;
  constexpr double kPartOfOther = 0.5;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::vector<RecordPair> chosen;
  chosen.reserve(links.size());
  for (const CandidateLink& link : links) chosen.push_back(link.link.pair());
  std::sort(chosen.begin(), chosen.end());
  std::vector<double> others(task_.inputs.table.size(), kNone);
  for (const CandidateLink& link : links_) {
    if (std::binary_search(chosen.begin(), chosen.end(), link.link.pair())) continue;
    for (const std::uint32_t record : {link.link.left, link.link.right}) {
      others[record] = std::max(others[record], link.link.score);
    }
  }
  std::erase_if(links, [&](const CandidateLink& link) {
    const double other = std::max(others[link.link.left], others[link.link.right]);
    return link.link.score < std::max(0.0, kPartOfOther * other + kBitsMore) && !is_always(link);
  });
}

// The estimate by which scores without a model are judged; not needed for a fixed cut.
std::optional<std::size_t> LinkDecision::judge_of_scores(const CutRule& rule) const {
  if (!estimates_) return std::nullopt;
  const std::optional<std::size_t> judge = estimates_->judge();
  if (judge || rule.kind == CutRule::Kind::fixed || links_.empty()) return judge;
  std::string reasons;
  for (const QualityEstimate& estimate : estimates_->estimates()) {
    reasons += fmt::format("; by {}: {}", estimate.method, estimate.refusal);
  }
  if (task_.method.by_words) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"cut", rules().cut},
                "needs an estimate, and one column has none" + reasons,
                "set the lowest probability, such as --cut 0.9, or judge pairs: --suggest 100 -o "
                "ask.csv, then --labels ask.csv");
  }
  throw Error(ErrorKind::invalid_option, RefusedOption{"cut", rules().cut},
              fmt::format("needs an estimate, and {} has none{}",
                          score_method_name(task_.method.method), reasons),
              "set the lowest share of the highest score, such as --cut 0.6, or --check-by FIELD");
}

CandidateLink LinkDecision::judged(CandidateLink link) const {
  if (judge_) {
    link.link.probability = estimates_->true_part(*judge_, link);
  } else if (!task_.method.has_odds()) {
    link.link.probability = -1;
  }
  return link;
}

std::vector<CandidateLink> LinkDecision::links() {
  assigned_ = assigned();
  start_estimates();
  for (const CandidateLink& link : links_) {
    links_of_model_ += task_.method.has_odds() && link.link.probability > kLikely ? 1 : 0;
  }
  std::vector<CandidateLink> chosen;
  chosen.reserve(assigned_.size());
  for (const std::size_t i : assigned_) chosen.push_back(links_[i]);
  const bool is_auto = rules().cut == "auto";
  if (is_auto && task_.method.by_words && !task_.knows_labels) keep_outstanding(chosen);
  // If records have several partners, probabilities are ordered differently from scores.
  if (is_auto && (by_model() || task_.knows_labels) && !is_one_each()) {
    std::erase_if(chosen, [this](const CandidateLink& link) {
      return link.link.probability <= kLikely && !is_always(link);
    });
  }
  std::erase_if(chosen, [this](const CandidateLink& link) { return !is_probable(link); });
  sort_by_score(chosen);
  const auto others = std::stable_partition(
      chosen.begin(), chosen.end(), [this](const CandidateLink& link) { return is_always(link); });
  facts_.certain = static_cast<std::uint64_t>(others - chosen.begin());
  facts_.certain_left_out = always_.size() - facts_.certain;
  choose_cut({others, chosen.end()});
  chosen.resize(facts_.certain + facts_.cut.links);
  sort_by_score(chosen);
  facts_.links = chosen.size();
  for (const CandidateLink& link : chosen) kept_.push_back(link.link.pair());
  std::sort(kept_.begin(), kept_.end());
  return chosen;
}

std::optional<CandidateLink> LinkDecision::partner_of(std::uint32_t record) const {
  const double least = task_.method.has_odds() ? task_.linker.score_at(least_kept_) : 0;
  for (const std::size_t i : assigned_) {
    const ScoredLink& link = links_[i].link;
    if ((link.left == record || link.right == record) && link.score >= least) return links_[i];
  }
  return std::nullopt;
}

// Positions of candidates that may be links, ascending.
std::vector<std::size_t> LinkDecision::assigned() const {
  const Competition one_partner = task_.linker.one_partner();
  const bool has_several =
      by_model() ? !one_partner.is_there() || !is_one_to_one() : rules().assign == Assign::all;
  if (has_several && rules().assign != Assign::best) {
    std::vector<std::size_t> likely;
    likely.reserve(links_.size());
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].link.probability >= least_kept_ || is_always(links_[i])) likely.push_back(i);
    }
    return likely;
  }
  std::vector<ScoredLink> scored;
  scored.reserve(links_.size());
  for (const CandidateLink& link : links_) {
    scored.push_back(link.link);
    if (is_always(link)) scored.back().score += kBitsOfAlways;
  }
  const CutRule cut = cut_rule();
  const double floor =
      cut.kind == CutRule::Kind::fixed ? cut.value : -std::numeric_limits<double>::infinity();
  return rules().assign == Assign::best ? best_links(scored, floor) : one_to_one(scored, floor);
}

void LinkDecision::start_estimates() {
  if (by_model() && !task_.linker.has_model()) return;
  estimate_task_.emplace(EstimateTask{
      task_.inputs.table, rules(), task_.linker, links_, by_model() || task_.knows_labels,
      task_.method.by_words, is_one_each(), task_.inputs.check_by, task_.checks.each_field});
  estimates_.emplace(*estimate_task_);
}

RecordGroups LinkDecision::groups() {
  start_estimates();
  std::vector<CandidateLink> likely;
  for (const CandidateLink& link : links_) {
    if (link.link.probability >= least_kept_) likely.push_back(link);
  }
  for (const CandidateLink& link : likely) {
    links_of_model_ += link.link.probability >= kLikely ? 1 : 0;
  }
  std::vector<CandidateLink> by_score = likely;
  sort_by_score(by_score);
  choose_cut(by_score);
  if (cut_rule().kind == CutRule::Kind::best_f1 && task_.method.has_odds()) {
    facts_.cut_probability = kLikely;
  }
  RecordGroups groups = groups_of(likely, nullptr);
  for (const CandidateLink& link : links_) {
    if (groups.first[link.link.left] == groups.first[link.link.right]) count_only_rule(link);
  }
  group_of_ = groups.first;
  return groups;
}

// Groups the links; the probabilities of other pairs come from this model or another one.
RecordGroups LinkDecision::groups_of(std::span<const CandidateLink> links,
                                     const MatchModel* other) const {
  std::vector<ScoredLink> scored;
  scored.reserve(links.size());
  for (const CandidateLink& link : links) scored.push_back(link.link);
  LinkageTask task;
  task.records = task_.inputs.table.size();
  task.links = scored;
  task.cut = facts_.cut_probability;
  task.describes_groups = other == nullptr;
  task.probability = [&](unsigned /*worker*/, std::uint32_t left, std::uint32_t right) {
    task_.pool.check_cancelled();
    return other == nullptr ? task_.linker.probability(left, right)
                            : task_.linker.probability_by(*other, left, right);
  };
  task.always = always_;
  if (pair_rules().has_never()) {
    task.never_class = pair_rules().classes();
    task.never = [this](std::uint32_t left, std::uint32_t right) {
      return pair_rules().is_never_class(left, right);
    };
  }
  return average_linkage(task, task_.pool);
}

// Counts a link found by only one rule.
void LinkDecision::count_only_rule(const CandidateLink& link) {
  std::vector<std::uint64_t>& counts = facts_.candidates.only_links;
  counts.resize(rules().candidates.size());
  if (std::has_single_bit(link.rules)) {
    ++counts[static_cast<std::size_t>(std::countr_zero(link.rules))];
  }
}

void LinkDecision::count(const CandidateLink& link) {
  count_only_rule(link);
  if (estimates_) estimates_->add(link);
  keep_pair(link.link.pair());
}

void LinkDecision::count_group(const std::vector<std::uint32_t>& members) {
  facts_.links += std::uint64_t{members.size()} * (members.size() - 1) / 2;
  if (members.size() > kComparedGroup) {
    sample_group(members);
  } else if (estimates_) {
    estimates_->add_group(members);
  }
  if (!task_.inputs.truth) return;
  for (auto left = members.begin(); left != members.end(); ++left) {
    for (auto right = left + 1; right != members.end(); ++right) keep_pair({*left, *right});
  }
}

// Adds a sample of the pairs in a large group; each pair counts for both of its records.
void LinkDecision::sample_group(const std::vector<std::uint32_t>& members) {
  if (!estimates_) return;
  const double pairs =
      static_cast<double>(members.size() - 1) / 2 / static_cast<double>(kDrawnPartners);
  for (std::size_t place = 0; place < members.size(); ++place) {
    task_.pool.check_cancelled();
    for (std::uint64_t draw = 0; draw < kDrawnPartners; ++draw) {
      const std::uint32_t drawn = drawn_partner(members, place, draw);
      estimates_->add(
          task_.linker.score_pair(std::min(members[place], drawn), std::max(members[place], drawn)),
          pairs);
    }
  }
}

// Keeps an output pair for comparison with the truth.
void LinkDecision::keep_pair(const RecordPair& pair) {
  constexpr std::uint64_t kCopies = 2;
  if (!task_.inputs.truth) return;
  if (kCopies * sizeof(RecordPair) * output_pairs_.size() > task_.memory_bytes) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("--truth compares all output pairs, and they do not fit in --memory {}",
                            limit_text(task_.memory_bytes)),
                "raise --memory");
  }
  output_pairs_.push_back(pair);
}

// Probability of the likeliest pair if the requested cut leaves no link; empty if that probability
// is negligible.
std::optional<double> LinkDecision::likeliest_below_cut() const {
  std::optional<double> most;
  if (cut_rule().kind != CutRule::Kind::fixed || !task_.method.has_odds()) return most;
  for (const CandidateLink& link : links_) {
    if (link.link.probability < std::max(most.value_or(0), kLeastKept)) continue;
    most = link.link.probability;
  }
  return most;
}

// Rejects an empty answer if many pairs look like matches.
void LinkDecision::require_links() const {
  if (facts_.links > 0 || !by_model() || rules().cut != "auto") return;
  if (!task_.linker.misses_matches()) return;
  throw Error(
      ErrorKind::invalid_option,
      "by the model no pair is more likely a match than not, although many agree on what usually "
      "indicates matches",
      rules().model.empty()
          ? "set the lowest probability, such as --cut 0.01, or add a rule that is certain: "
            "always = [{ equal = [\"FIELD\"] }]"
          : "the model may come from other data: without --model, a new one is learnt");
}

void LinkDecision::judge() {
  require_links();
  if (estimates_) facts_.estimates = estimates_->estimates();
  facts_.confidence = confidence();
  if (!task_.inputs.truth) return;
  const TruePairs& truth = task_.inputs.truth->pairs;
  const std::vector<ScoredLink> scored =
      task_.linker.wanted([&](const RecordPair& pair) { return truth.contains(pair); });
  std::sort(output_pairs_.begin(), output_pairs_.end());
  facts_.truth = judge_links({truth, scored, facts_.cut.score, output_pairs_});
  facts_.truth_unknown = task_.inputs.truth->unknown;
}

}  // namespace sosie
