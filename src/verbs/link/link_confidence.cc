// Uses other models to judge how reliable the answer of `sosie link` is.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/count_text.h"
#include "decide/one_to_one.h"
#include "plan/stand_ins.h"
#include "verbs/link/link_decision.h"

namespace sosie {
namespace {

// Other models' candidates below this probability are ignored.
constexpr double kLeastSeen = 0.01;
constexpr double kLeastAgreement = 0.9;
constexpr double kNoFloor = -std::numeric_limits<double>::infinity();
constexpr std::string_view kManyDoubtful =
    "many pairs are neither clear matches nor clear non-matches";

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

// Share of the matches among candidates that, by their odds alone, may just as well be non-matches.
double doubtful_share(std::span<const CandidateLink> links, const MatchModel& model) {
  double sum = 0;
  double doubtful = 0;
  for (const CandidateLink& link : links) {
    const double p = model.probability_at(link.link.score);
    sum += p;
    doubtful += p * (1 - p);
  }
  return doubtful / std::max(1.0, sum);
}

}  // namespace

// The best pairs of the links, as many as the answer contains.
std::vector<RecordPair> LinkDecision::best_pairs(std::vector<CandidateLink> links) const {
  std::vector<RecordPair> pairs;
  pairs.reserve(std::min(links.size(), kept_.size()));
  std::vector<ScoredLink> scored;
  scored.reserve(links.size());
  for (const CandidateLink& link : links) scored.push_back(link.link);
  if (is_one_to_one()) {
    for (const std::size_t i : one_to_one(scored, kNoFloor, kept_.size())) {
      pairs.push_back(scored[i].pair());
    }
    return pairs;
  }
  if (rules().assign == Assign::best) return best_of_left(scored);
  if (links.size() > kept_.size()) {
    std::stable_sort(links.begin(), links.end(),
                     [](const CandidateLink& a, const CandidateLink& b) {
                       return a.link.probability > b.link.probability;
                     });
    links.resize(kept_.size());
  }
  for (const CandidateLink& link : links) pairs.push_back(link.link.pair());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// The best link of each left record, as many as the answer contains. A link to a copy of the
// record's partner in the answer counts as the same link.
std::vector<RecordPair> LinkDecision::best_of_left(std::span<const ScoredLink> links) const {
  constexpr double kCopy = 0.5;
  std::vector<std::size_t> best = best_links(links, kNoFloor);
  std::stable_sort(best.begin(), best.end(),
                   [&](std::size_t a, std::size_t b) { return links[a].score > links[b].score; });
  if (best.size() > kept_.size()) best.resize(kept_.size());
  std::vector<RecordPair> pairs;
  pairs.reserve(best.size());
  for (const std::size_t i : best) {
    const RecordPair pair = links[i].pair();
    const auto kept = std::lower_bound(kept_.begin(), kept_.end(), RecordPair{pair.left, 0});
    const bool is_copy = kept != kept_.end() && kept->left == pair.left &&
                         task_.linker.probability(kept->right, pair.right) > kCopy;
    pairs.push_back(is_copy ? *kept : pair);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

bool LinkDecision::OtherAnswer::links(const RecordPair& pair) const {
  return first.empty() ? std::binary_search(pairs.begin(), pairs.end(), pair)
                       : first[pair.left] == first[pair.right];
}

// The answer that another model would give, and how much of this answer agrees with it.
LinkDecision::OtherAnswer LinkDecision::answer_by(const MatchModel& other) const {
  std::vector<CandidateLink> links =
      task_.linker.score_by(other, across() ? least_scored_ : kLeastSeen);
  OtherAnswer answer;
  answer.matches = expected_matches(links) + matches_by_rules();
  if (across()) {
    answer.doubtful = doubtful_share(links, other);
    answer.pairs = best_pairs(std::move(links));
    answer.agreement = agreement_of(kept_, answer.pairs);
  } else {
    answer.first = groups_of(links, &other).first;
    answer.agreement = agreement_of_groups(group_of_, answer.first);
  }
  return answer;
}

// The field that most often differs in links that another model rejects but almost never in links
// that both models accept.
std::optional<std::uint32_t> LinkDecision::disputed_field(const OtherAnswer& other) const {
  constexpr double kFewDiffer = 0.05;
  constexpr double kFewestAgreed = 10;
  constexpr double kFewestPart = 0.1;
  constexpr double kClearlyMore = 0.2;
  struct Counts {
    double pairs = 0;
    std::vector<double> differing;  // by field of the rules
  };
  const std::vector<RecordColumn>& columns = task_.inputs.table.columns;
  Counts agreed{0, std::vector<double>(columns.size())};
  Counts disputed = agreed;
  for (const CandidateLink& link : links_) {
    const RecordPair pair = link.link.pair();
    if (!is_linked(pair)) continue;
    Counts& counts = other.links(pair) ? agreed : disputed;
    ++counts.pairs;
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const std::uint32_t left = columns[f].values[pair.left];
      const std::uint32_t right = columns[f].values[pair.right];
      const bool are_there = left != RecordColumn::kMissing && right != RecordColumn::kMissing;
      counts.differing[f] += are_there && left != right ? 1 : 0;
    }
  }
  double most = kClearlyMore;
  std::optional<std::uint32_t> found;
  if (agreed.pairs < std::max(kFewestAgreed, kFewestPart * disputed.pairs)) return found;
  for (const std::uint32_t f : rules().compared()) {
    const double of_agreed = agreed.differing[f] / std::max(1.0, agreed.pairs);
    const double more = disputed.differing[f] / std::max(1.0, disputed.pairs) - of_agreed;
    if (of_agreed > kFewDiffer || more <= most) continue;
    most = more;
    found = f;
  }
  return found;
}

// Average bits that each compared single-column field contributes to a match; 0 for a field with
// several columns, because it repeats information.
std::vector<double> LinkDecision::bits_of_matches() const {
  const std::vector<std::uint32_t> compared = rules().compared();
  const std::vector<FieldWeights>& weights = task_.linker.model().fields();
  std::vector<double> bits(compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    if (rules().fields[compared[f]].columns.size() > 1) continue;
    for (std::uint32_t level = 1; level < weights[f].m.size(); ++level) {
      bits[f] += weights[f].m[level] * weights[f].bits(level);
    }
    bits[f] *= filled_share(task_.inputs.table, compared[f]);
  }
  return bits;
}

// The field that contributes the most bits to a match, on average.
std::optional<std::uint32_t> LinkDecision::strongest_field() const {
  const std::vector<double> bits = bits_of_matches();
  const auto most = std::max_element(bits.begin(), bits.end());
  if (most == bits.end() || *most <= 0) return std::nullopt;
  return rules().compared()[static_cast<std::size_t>(most - bits.begin())];
}

// Effective number of fields: the number of equally informative fields that would contribute as
// much as all of these together.
double LinkDecision::telling_fields() const {
  double sum = 0;
  double squares = 0;
  for (const double bits : bits_of_matches()) {
    sum += std::max(0.0, bits);
    squares += std::max(0.0, bits) * bits;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// Adds a doubt if few fields distinguish matches and many links depend on a single field: nothing
// shows how often such a field agrees by chance. Three or more independent fields identify the
// classes of pairs (Goodman 1974); fields with unequal information are counted by analogy. Checks a
// sample of the model's links.
void LinkDecision::doubt_fields(LinkConfidence& found, LinkDoubts& doubts) const {
  constexpr double kFewestTelling = 3;
  constexpr double kMostResting = 0.15;  // tuned on runs in which no field is very informative
  constexpr std::size_t kLooked = 4096;
  constexpr double kHolds = 0.5;
  if (telling_fields() >= kFewestTelling) return;
  std::vector<RecordPair> linked;
  for (const CandidateLink& link : links_) {
    const RecordPair pair = link.link.pair();
    if (!is_linked(pair) || is_always(link)) continue;
    if (task_.linker.probability(pair.left, pair.right) >= kHolds) linked.push_back(pair);
  }
  const std::vector<std::uint32_t> compared = rules().compared();
  std::vector<MatchModel> others;
  for (std::size_t f = 0; f < compared.size(); ++f) {
    others.push_back(task_.linker.model().without(f));
  }
  std::vector<std::size_t> resting(compared.size());  // links by the field that they need most
  std::size_t all = 0;
  std::size_t looked = 0;
  for (std::size_t i = 0; i < linked.size(); i += linked.size() / kLooked + 1) {
    task_.pool.check_cancelled();
    ++looked;
    double least = kHolds;
    std::optional<std::size_t> needed;
    for (std::size_t f = 0; f < others.size(); ++f) {
      const double p = task_.linker.probability_by(others[f], linked[i].left, linked[i].right);
      if (p >= least) continue;
      least = p;
      needed = f;
    }
    if (!needed) continue;
    ++all;
    ++resting[*needed];
  }
  const double part =
      static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(1, looked));
  if (part <= kMostResting) return;
  found.reasons.push_back(fmt::format(
      "{} of the links rest on a single field, and fewer than three fields distinguish matches",
      percent(part)));
  if (doubts.decisive || doubts.disputed) return;
  const auto most = std::max_element(resting.begin(), resting.end());
  doubts.decisive = compared[static_cast<std::size_t>(most - resting.begin())];
}

bool LinkDecision::is_linked(const RecordPair& pair) const {
  return across() ? std::binary_search(kept_.begin(), kept_.end(), pair)
                  : group_of_[pair.left] == group_of_[pair.right];
}

// If records have siblings of their partner in the other collection, records whose partner is
// missing are linked to a sibling. Lowers the estimate for this, and adds a doubt if many links are
// false as a result. Competition for partners and the kinds of pairs known to a fit do not reveal
// all of these links.
void LinkDecision::doubt_stand_ins(LinkConfidence& found) const {
  constexpr double kMostMore = 0.1;  // share of the links
  if (!is_one_to_one() || kept_.empty()) return;
  std::vector<ScoredLink> scored;
  std::vector<std::size_t> chosen;
  scored.reserve(links_.size());
  for (const CandidateLink& link : links_) {
    if (is_linked(link.link.pair())) chosen.push_back(scored.size());
    scored.push_back(link.link);
  }
  const RecordTable& table = task_.inputs.table;
  const StandIns stand_ins =
      find_stand_ins({scored, chosen, facts_.cut.score, table.left, table.right});
  const auto links = static_cast<double>(facts_.links);
  const double right = links * facts_.estimates.front().precision;
  // False links that the model does not predict.
  const double expected = stand_ins.false_links - (links - right);
  const bool are_many = expected > kMostMore * links;
  const double more = are_many ? expected : stand_ins.fewest_false - (links - right);
  if (more <= 0) return;
  found.estimated_f1 =
      std::min(*found.estimated_f1, 2 * (right - more) / (links + matches() - more));
  if (!are_many) return;
  found.reasons.push_back(
      fmt::format("{} of the clearest links have a second free partner that is good enough, so "
                  "records without a partner are linked, too",
                  percent(stand_ins.part)));
}

// If records on one side have several partners that may be siblings, lowers the estimate to that
// for one partner each, and adds a doubt.
void LinkDecision::doubt_several(LinkConfidence& found) const {
  if (rules().assign != Assign::automatic || !task_.linker.may_link_siblings(links_)) return;
  const bool left_has_one = task_.linker.one_partner().left;
  std::vector<std::uint32_t> others;  // records that may have several partners
  others.reserve(kept_.size());
  for (const RecordPair& pair : kept_) others.push_back(left_has_one ? pair.right : pair.left);
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  const auto ones = static_cast<double>(others.size());
  found.estimated_f1 =
      std::min(*found.estimated_f1, 2 * ones / (ones + static_cast<double>(kept_.size())));
  found.reasons.emplace_back(
      fmt::format("records of the {} collection have several partners, copies or siblings",
                  left_has_one ? "right" : "left"));
}

// Adds doubts about links between two collections.
void LinkDecision::doubt_links(LinkConfidence& found, LinkDoubts& doubts) const {
  constexpr double kMostDoubtful = 0.1;
  constexpr double kLeastSeenPart = 0.5;
  constexpr double kLeastWithoutField = 0.85;
  const bool is_doubtful = doubtful_share(links_, task_.linker.model()) > kMostDoubtful;
  const std::vector<std::uint32_t> compared = rules().compared();
  double least = 1;
  double least_doubtful = kMostDoubtful;
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const OtherAnswer answer = answer_by(task_.linker.model().without(f));
    if (is_doubtful && answer.doubtful <= least_doubtful) {
      least_doubtful = answer.doubtful;
      doubts.blurring = compared[f];
    }
    if (answer.agreement >= least) continue;
    least = answer.agreement;
    doubts.decisive = compared[f];
  }
  if (least < kLeastWithoutField) {
    found.reasons.push_back(fmt::format("without '{}', {} of the links remain",
                                        rules().fields[*doubts.decisive].name, percent(least)));
  } else {
    doubts.decisive.reset();
  }
  if (is_doubtful) {
    found.reasons.emplace_back(kManyDoubtful);
  }
  if (matches() < kLeastSeenPart * static_cast<double>(kept_.size())) {
    found.reasons.push_back(fmt::format("the model expects {} matches, but {} are linked",
                                        rounded_text(matches()), count_text(kept_.size())));
  }
  if (found.is_low() && found.estimated_f1) {
    found.estimated_f1 = std::min(*found.estimated_f1, least);
  }
}

// The model's estimate or, if the runners-up rather than rules added links, the mean of it and the
// estimate from the runners-up.
double LinkDecision::expected_f1() const {
  const QualityEstimate& model = facts_.estimates.front();
  double f1 = model.f1;
  if (!across() || !model.trusts_rules || kept_.size() <= links_of_model_) return f1;
  for (const QualityEstimate& estimate : facts_.estimates) {
    if (!is_of_runners_up(estimate) || !estimate.refusal.empty()) continue;
    f1 = (f1 + estimate.f1) / 2;
  }
  return f1;
}

// Number of matches expected by the model, plus those that rules specify.
double LinkDecision::matches() const { return task_.linker.matches() + matches_by_rules(); }

// Number of matches that rules specify but the model does not expect, plus the matches that rules
// separate by mistake.
double LinkDecision::matches_by_rules() const {
  const QualityEstimate& model = facts_.estimates.front();
  return (model.trusts_rules ? model.by_rules : 0) + model.parted.slips;
}

// Estimate for the answer if there were this many matches instead of the number that the model
// expects.
double LinkDecision::f1_of(double f1, double matches) const {
  const auto links = static_cast<double>(facts_.links);
  return std::min(1.0, f1 * (links + this->matches()) / (links + matches));
}

// Adds the objections of models with other numbers of classes, and of the model after it has
// converged. Returns the lowest agreement with the answer.
double LinkDecision::doubt_fits(LinkConfidence& found, LinkDoubts& doubts) const {
  constexpr std::array<std::size_t, 2> kOtherClasses = {3, 6};
  constexpr std::array<std::size_t, 2> kBesideKin = {5, 7};  // kin take up several classes
  constexpr double kFarOff = 0.1;
  const double f1 = *found.estimated_f1;
  OtherAnswer furthest = answer_by(task_.linker.settled());
  const double settled = std::min(f1, f1_of(f1, furthest.matches));
  double fewest = std::min(matches(), furthest.matches);
  double most = std::max(matches(), furthest.matches);
  for (const std::size_t classes : !across() && task_.linker.kin() ? kBesideKin : kOtherClasses) {
    OtherAnswer answer = answer_by(task_.linker.refitted(classes));
    fewest = std::min(fewest, answer.matches);
    most = std::max(most, answer.matches);
    if (answer.agreement < furthest.agreement) furthest = std::move(answer);
  }
  if (furthest.agreement < kLeastAgreement) {
    doubts.disputed = disputed_field(furthest);
    found.reasons.push_back(
        fmt::format("models with more or fewer classes of pairs agree on only {} of the {}",
                    percent(furthest.agreement), across() ? "links" : "pairs"));
  }
  const double lowest = f1_of(f1, most);
  if (f1 - lowest > kFarOff) {
    found.reasons.push_back(fmt::format("models expect between {} and {} matches",
                                        rounded_text(fewest), rounded_text(most)));
  }
  found.estimated_f1 = found.is_low() ? lowest : settled;
  return furthest.agreement;
}

// The positions of two compared fields in the rules.
std::vector<std::uint32_t> LinkDecision::fields_of(const FieldPair& fields) const {
  const std::vector<std::uint32_t> compared = rules().compared();
  if (fields.first == fields.second) return {compared[fields.first]};
  return {compared[fields.first], compared[fields.second]};
}

// Estimate for the answer if links that clearly differ in all of these fields are not matches.
double LinkDecision::f1_without(const FieldPair& fields) const {
  constexpr double kClearly = 0.6;  // maximum share of the bits of equal values
  const auto differ_clearly = [&](const RecordPair& pair, std::size_t f) {
    const FieldWeights& weights = task_.linker.model().fields()[f];
    const std::uint32_t level = task_.linker.comparer().level(f, pair.left, pair.right);
    const auto highest = static_cast<std::uint32_t>(weights.m.size() - 1);
    return level > 0 && weights.bits(level) < kClearly * weights.bits(highest);
  };
  double all = 0;
  double differing = 0;
  for (const CandidateLink& link : links_) {
    const RecordPair pair = link.link.pair();
    if (!is_linked(pair)) continue;
    all += link.link.probability;
    const bool differs = differ_clearly(pair, fields.first) && differ_clearly(pair, fields.second);
    if (differs) differing += link.link.probability;
  }
  const QualityEstimate& model = facts_.estimates.front();
  const auto links = static_cast<double>(facts_.links);
  const double found = model.precision * links;
  const double none = found * differing / std::max(1.0, all);
  return 2 * (found - none) / (links + model.matches - none);
}

// True if a never rule separates pairs that differ in these fields.
bool LinkDecision::are_parted(const FieldPair& fields) const {
  const std::vector<std::uint32_t> both = fields_of(fields);
  return std::any_of(rules().never.begin(), rules().never.end(), [&](const PairRule& rule) {
    return std::all_of(rule.begin(), rule.end(), [&](std::uint32_t field) {
      return std::find(both.begin(), both.end(), field) != both.end();
    });
  });
}

std::string LinkDecision::field_names(const FieldPair& fields) const {
  const std::vector<std::uint32_t> both = fields_of(fields);
  if (both.size() == 1) return fmt::format("'{}'", rules().fields[both.front()].name);
  return fmt::format("'{}' and '{}' together", rules().fields[both.front()].name,
                     rules().fields[both.back()].name);
}

// Adds the objections of other models to the answer.
void LinkDecision::doubt_models(LinkConfidence& found, LinkDoubts& doubts) const {
  constexpr double kMostDoubtfulOfGroups = 0.15;
  constexpr double kFewestMatches = 10;  // with fewer, prior assumptions outweigh them
  double least = doubt_fits(found, doubts);
  if (task_.linker.tells_families() && !task_.linker.has_sure_kin()) {
    const double agreement = answer_by(task_.linker.refitted_with_families()).agreement;
    least = std::min(least, agreement);
    if (agreement < kLeastAgreement) {
      found.reasons.push_back(
          fmt::format("a model that treats families as copies agrees on only {} of the links",
                      percent(agreement)));
      if (const auto kin = task_.linker.kin()) {
        doubts.kin = fields_of(*kin);
        found.reasons.back() += fmt::format("; families differ in {}", field_names(*kin));
      }
    }
  }
  if (const auto kin = task_.linker.doubtful_kin(); kin && !are_parted(*kin)) {
    doubts.kin = fields_of(*kin);
    least = std::min(least, f1_without(*kin));
    found.reasons.push_back(
        fmt::format("many links differ in {}, as members of a household do", field_names(*kin)));
  }
  if (const auto lone = task_.linker.lone_field()) {
    const std::uint32_t field = rules().compared()[*lone];
    if (doubts.kin.empty()) doubts.kin = {field};
    least = std::min(least, f1_without({*lone, *lone}));
    found.reasons.push_back(
        fmt::format("many links differ in '{}' alone, as members of a household do",
                    rules().fields[field].name));
  }
  if (matches() < kFewestMatches) {
    found.reasons.emplace_back("there are too few matches to learn from");
  }
  if (task_.linker.has_diverged()) {
    found.reasons.emplace_back("comparing more neighbours keeps yielding more matches");
  }
  if (across() && rules().assign == Assign::automatic && !task_.linker.one_partner().is_there()) {
    found.reasons.emplace_back(
        "records in both collections have several partners, copies or relatives");
  }
  if (across()) {
    doubt_links(found, doubts);
  } else if (doubtful_share(links_, task_.linker.model()) > kMostDoubtfulOfGroups) {
    found.reasons.emplace_back(kManyDoubtful);
  }
  doubt_stand_ins(found);
  doubt_several(found);
  doubt_fields(found, doubts);
  doubt_rules(found);
  if (found.is_low() || !across()) found.estimated_f1 = std::min(*found.estimated_f1, least);
}

// Adds a doubt if rules create many links that the model rejects, or separate many pairs that it
// considers matches. Separated pairs count as lost unless the rules know more than the model.
void LinkDecision::doubt_rules(LinkConfidence& found) const {
  constexpr double kMostParted = 0.1;
  const QualityEstimate& model = facts_.estimates.front();
  if (!model.trusts_rules) {
    found.reasons.push_back(
        fmt::format("rules make {} of the links, which the model rejects",
                    percent(model.by_rules / static_cast<double>(facts_.links))));
  }
  const double all = matches() + model.parted.doubted;
  found.estimated_f1 = f1_of(*found.estimated_f1, all);
  const double lost = model.parted.slips + model.parted.doubted;
  if (lost <= kMostParted * all) return;
  found.reasons.push_back(fmt::format(
      "never rules separate {} pairs that the model considers matches", rounded_text(lost)));
}

LinkConfidence LinkDecision::confidence() const {
  LinkConfidence found;
  LinkDoubts doubts;
  doubts.has_candidates = task_.linker.counts().pairs > 0;
  doubts.has_links = facts_.links > 0;
  doubts.by_scores = !by_model();
  if (facts_.links == 0) doubts.likeliest = likeliest_below_cut();
  if (task_.linker.has_model()) doubts.strongest = strongest_field();
  if (facts_.links == 0) {
    found.reasons.emplace_back("nothing is linked");
  } else if (!by_model()) {
    found.reasons.emplace_back(task_.method.by_words
                                   ? "with a single column, there is nothing to check it against"
                                   : "scores without a model");
    if (judge_ && facts_.estimates[*judge_].knows_recall)
      found.estimated_f1 = facts_.estimates[*judge_].f1;
  } else if (facts_.estimates.empty()) {
    found.reasons.emplace_back("there is nothing to learn a model from");
  } else {
    found.estimated_f1 = expected_f1();
    doubt_models(found, doubts);
  }
  if (!found.is_low()) return found;
  if (doubts.strongest && !doubts.has_links && links_too_much(*doubts.strongest)) {
    doubts.strongest.reset();
  }
  found.next_step = next_step(rules(), task_.inputs.table, doubts);
  return found;
}

// True if equal values of the field link more pairs than there are records.
bool LinkDecision::links_too_much(std::uint32_t field) const {
  const RecordTable& table = task_.inputs.table;
  return equal_share(table, table.columns[field]) * all_pairs_of(table) > table.size();
}

}  // namespace sosie
