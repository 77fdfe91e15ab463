// Candidates, model and scores of one run of `sosie link`.
#include "join/records/record_linker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "join/records/usual_shares.h"

namespace sosie {
namespace {

constexpr double kLikely = 0.5;
constexpr Competition kOnePartner = {true, true};
constexpr double kLeastCompeting = 1e-4;              // pairs below take no partner from others
constexpr double kLeastLost = 1e-3;                   // probabilities below count as none
constexpr std::uint64_t kPairsKeptWhole = 4'000'000;  // so many are all kept
// Kept pairs may take one part in so many of the memory that is left, unless they compete.
constexpr std::uint64_t kPartForPairs = 4;

// Positions among the compared fields of fields that are weighed together.
std::vector<FieldPair> together_of(const LinkRules& rules) {
  const std::vector<std::uint32_t> compared = rules.compared();
  const auto position = [&](std::uint32_t field) {
    return static_cast<std::size_t>(std::find(compared.begin(), compared.end(), field) -
                                    compared.begin());
  };
  std::vector<FieldPair> pairs;
  pairs.reserve(rules.together.size());
  for (const std::vector<std::uint32_t>& group : rules.together) {
    const std::size_t first = position(group[0]);
    const std::size_t second = position(group[1]);
    pairs.push_back({std::min(first, second), std::max(first, second)});
  }
  return pairs;
}

// Counts what lies in memory before candidates are looked for, and refuses what does not fit.
RecordMemory memory_of(const RecordTable& table, const LinkRules& rules,
                       std::uint64_t memory_bytes) {
  RecordMemory memory(memory_bytes);
  memory.hold(memory_bytes_of(table.columns));
  const RecordNeeds needs = comparison_needs(table, rules);
  memory.require(needs.peak_bytes, "fields");
  memory.hold(needs.kept_bytes);
  return memory;
}

// Partners of each record in links that are likely.
std::vector<std::vector<std::uint32_t>> likely_partners(std::span<const CandidateLink> links,
                                                        std::uint32_t records) {
  std::vector<std::vector<std::uint32_t>> partners(records);
  for (const CandidateLink& link : links) {
    if (link.link.probability < kLikely) continue;
    partners[link.link.left].push_back(link.link.right);
    partners[link.link.right].push_back(link.link.left);
  }
  return partners;
}

double sum_of(std::span<const CandidateLink> links) {
  double sum = 0;
  for (const CandidateLink& link : links) sum += link.link.probability;
  return sum;
}

}  // namespace

RecordLinker::RecordLinker(const RecordTable& table, const LinkRules& rules,
                           std::uint64_t memory_bytes, ThreadPool& pool, Scratch& scratch)
    : table_(table),
      rules_(rules),
      pool_(pool),
      memory_(memory_of(table, rules, memory_bytes)),
      comparer_(table, rules),
      candidates_(table, rules, {memory_, pool, scratch}) {}

void RecordLinker::learn() {
  find();
  one_partner_ = asked_partners();
  count();
  if (counts_.pairs == 0) return;
  draw_strangers();
  fit();
  if (table_.across) {
    if (decides_partners()) choose_partners();
  } else {
    widen(/*fits=*/true);
    if (has_diverged()) fit_endless_families();
    if (!has_diverged()) close();
  }
  likely_ = {};
}

void RecordLinker::take(MatchModel model, std::vector<std::vector<double>> shares,
                        const FitDecisions& decisions) {
  for (std::size_t f = 0; f < shares.size(); ++f) {
    if (!shares[f].empty()) comparer_.set_shares(f, std::move(shares[f]));
  }
  find();
  one_partner_ = decides_partners() ? decisions.one_partner : asked_partners();
  count();
  draw_strangers();
  fitted_.model = std::move(model);
  look();
  has_endless_families_ =
      !table_.across && !candidates_.nearest().empty() && decisions.has_endless_families;
  if (has_endless_families_) {
    warn_of_endless_families();
  } else if (!table_.across) {
    widen(/*fits=*/false);
    if (!has_diverged()) close();
  }
  likely_ = {};
}

FitDecisions RecordLinker::decisions() const {
  return {decides_partners() ? one_partner_ : kOnePartner, has_endless_families_};
}

// True if the data say which side may have several partners.
bool RecordLinker::decides_partners() const noexcept {
  return table_.across && rules_.assign == Assign::automatic;
}

void RecordLinker::find_for(const PairScore& score, double likely) {
  pair_score_ = &score;
  likely_score_ = likely;
  find();
  count();
  if (table_.across) return;
  look();
  widen(/*fits=*/false);
  likely_ = {};
}

Competition RecordLinker::asked_partners() const noexcept {
  if (!table_.across || rules_.assign == Assign::all) return {};
  return {true, rules_.assign != Assign::best};
}

void RecordLinker::count() {
  std::uint64_t expected = 0;
  for (const RuleFindings& rule : findings()) expected += rule.pairs;
  for (const auto& nearest : candidates_.nearest()) expected += nearest->pairs.partners.size();
  const std::uint64_t part = one_partner_.is_there() ? 1 : kPartForPairs;
  const CandidateCounts before = std::exchange(counts_, {});
  counts_ = count_candidates({table_, CandidateUnion(candidates_.partners()), comparer_},
                             {expected <= kPairsKeptWhole, memory_.left() / part}, pool_,
                             before.kept.are_all ? &before : nullptr);
  if (pair_score_ == nullptr && counts_.kept.are_all) {
    const std::uint64_t bytes = sizeof(float) * comparer_.graded().size() * counts_.pairs;
    if (bytes <= memory_.left() / part) {
      keep_similarities({table_, CandidateUnion(candidates_.partners()), comparer_}, counts_, pool_,
                        &before);
    }
  }
  if (one_partner_.is_there() && !counts_.kept.is_complete) {
    memory_.require(2 * sizeof(PatternPair) * counts_.pairs, "candidate pairs");
  }
  strangers_ = random_.without(counts_.kept.pairs);
}

// Draws random pairs, and weighs the levels that these and matches usually have.
void RecordLinker::draw_strangers() {
  const std::vector<std::uint32_t> compared = rules_.compared();
  random_ = RandomRecordPairs(table_, comparer_, pool_);
  random_shares_ = random_.level_shares(table_, comparer_, compared);
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = rules_.fields[compared[f]];
    usual_shares_.push_back(usual_shares(field, random_shares_[f]));
    chances_.push_back(field.frequency ? equal_share(table_, table_.columns[compared[f]]) : 0);
  }
  strangers_ = random_.without(counts_.kept.pairs);
}

FitTask RecordLinker::fit_task() const {
  return {.candidates = counts_.patterns,
          .random = strangers_,
          .all_pairs = all_pairs_of(table_),
          .records = fewest_records(),
          .usual = usual_shares_,
          .random_shares = random_shares_,
          .together = together_of(rules_),
          .chances = chances_,
          .pairs = counts_.kept.pairs,
          .numbers = table_.size(),
          .on_round = [this] { pool_.check_cancelled(); }};
}

FittedModel RecordLinker::fitted_by(Competition one_partner, std::size_t classes) const {
  return fit_model(fit_task(), one_partner, classes);
}

double RecordLinker::fewest_records() const {
  return static_cast<double>(table_.across ? std::min(table_.left, table_.right) : table_.left);
}

bool RecordLinker::misses_matches() const {
  constexpr double kFewest = 1;
  constexpr double kSeenPart = 0.1;  // matches by record
  return has_model() && matches() < kFewest &&
         usual_matches(fit_task()) >= std::max(kFewest, kSeenPart * fewest_records());
}

// Fits the model. Where a record has several partners that look alike, or there are few fields,
// other kinds of pairs may take the place of matches round by round until none is left: then with
// fewer kinds, and at last by what usually tells matches.
void RecordLinker::fit() {
  for (std::size_t classes = kUsualClasses; classes >= kFewestClasses; --classes) {
    fitted_ = fitted_by(one_partner_, classes);
    look();
    if (!misses_matches()) return;
  }
  FitTask task = fit_task();
  task.most_rounds = 1;
  fitted_ = fit_model(task, one_partner_, kFewestClasses);
  look();
}

MatchModel RecordLinker::refitted_with_families() const {
  FitTask task = fit_task();
  task.parts_families = false;
  return fit_model(task, one_partner_).model;
}

MatchModel RecordLinker::refitted(std::size_t classes) const {
  return fitted_by(has_endless_families_ ? kOnePartner : one_partner_, classes).model;
}

// Lets the records of one side have several partners where that gives clearly more matches, which
// stay clear.
void RecordLinker::choose_partners() {
  constexpr double kClearlyMore = 1.2;
  if (is_one_to_one()) return;
  for (const Competition one_partner : {Competition{false, true}, Competition{true, false}}) {
    const Competition before = std::exchange(one_partner_, one_partner);
    FittedModel other = fitted_by(one_partner, kUsualClasses);
    const std::vector<CandidateLink> links = score_by(other.model, kLeastCompeting);
    other.matches = sum_of(links);
    if (other.matches > kClearlyMore * fitted_.matches &&
        has_several(links, other.model, one_partner)) {
      fitted_ = std::move(other);
    } else {
      one_partner_ = before;
    }
  }
}

// True if the model, for which records have one partner at most, sees most of what usually tells
// matches, and by the odds alone nearly no record has two partners: then no side has several.
bool RecordLinker::is_one_to_one() const {
  constexpr double kMostSeen = 0.5;
  constexpr double kNearlyNone = 0.01;
  const PartnerCounts counts = count_partners(likely_, fitted_.model);
  return fitted_.matches >= kMostSeen * usual_matches(fit_task()) &&
         counts.left_with_two < kNearlyNone && counts.right_with_two < kNearlyNone;
}

// Counts partners by the odds alone.
RecordLinker::PartnerCounts RecordLinker::count_partners(std::span<const CandidateLink> links,
                                                         const MatchModel& model) const {
  constexpr double kSure = 0.9;
  std::vector<std::uint32_t> partners(table_.size());
  PartnerCounts counts;
  for (const CandidateLink& link : links) {
    const double p = model.probability_at(link.link.score);
    counts.doubtful += p * (1 - p);
    counts.sum += p;
    if (p <= kSure) continue;
    ++partners[link.link.left];
    ++partners[link.link.right];
  }
  const auto part_with_two = [](auto begin, auto end) {
    const auto linked = std::count_if(begin, end, [](std::uint32_t n) { return n > 0; });
    const auto twice = std::count_if(begin, end, [](std::uint32_t n) { return n > 1; });
    return linked == 0 ? 1 : static_cast<double>(twice) / static_cast<double>(linked);
  };
  const auto split = partners.begin() + table_.left;
  counts.left_with_two = part_with_two(partners.begin(), split);
  counts.right_with_two = part_with_two(split, partners.end());
  return counts;
}

// True if few records of the side with one partner have two of them, and many of the other side
// have, and few pairs are neither.
bool RecordLinker::has_several(std::span<const CandidateLink> links, const MatchModel& model,
                               Competition one_partner) const {
  constexpr double kFew = 0.2;
  constexpr double kSome = 0.1;
  const PartnerCounts counts = count_partners(links, model);
  const double of_one = one_partner.left ? counts.left_with_two : counts.right_with_two;
  const double of_other = one_partner.left ? counts.right_with_two : counts.left_with_two;
  return of_one < kFew && of_other > kSome && counts.doubtful < kSome * std::max(1.0, counts.sum);
}

// Scores the candidates that are likely enough to count, by the model or by the score in its place.
void RecordLinker::look() {
  likely_ = {};
  likely_ = score(kLeastCompeting);
  if (has_model()) fitted_.matches = sum_of(likely_);
}

// Records most of whose neighbours look like matches.
std::vector<std::uint32_t> RecordLinker::surrounded(std::uint32_t neighbours) const {
  constexpr double kMost = 0.7;
  const double likely = pair_score_ != nullptr ? likely_score_ : kLikely;
  std::vector<std::uint32_t> matches(table_.size());
  for (const CandidateLink& link : likely_) {
    if (link.link.probability < likely) continue;
    ++matches[link.link.left];
    ++matches[link.link.right];
  }
  std::vector<std::uint32_t> records;
  for (std::uint32_t record = 0; record < table_.size(); ++record) {
    if (matches[record] >= kMost * neighbours) records.push_back(record);
  }
  return records;
}

void RecordLinker::widen(bool fits) {
  constexpr std::uint32_t kFactor = 3;
  constexpr std::uint32_t kMostNeighbours = 250;
  constexpr std::uint32_t kManyNeighbours = 90;
  constexpr double kFew = 0.002;
  constexpr double kMany = 0.02;
  if (candidates_.nearest().empty()) return;
  std::uint32_t neighbours = first_neighbours();
  std::vector<PartnerLists> first;
  for (const auto& nearest : candidates_.nearest()) first.push_back(nearest->pairs);
  const FittedModel first_model = fitted_;
  std::vector<double> sums = {fitted_.matches};
  while (true) {
    const std::vector<std::uint32_t> records = surrounded(neighbours);
    const auto part = static_cast<double>(records.size()) / table_.size();
    const std::size_t n = sums.size();
    const bool has_doubled =
        n > 2 && sums[n - 1] > 1.8 * sums[n - 2] && sums[n - 2] > 1.8 * sums[n - 3];
    if (has_doubled || (n > 1 && part > kMany && neighbours >= kManyNeighbours &&
                        sums[n - 1] > 1.5 * sums[n - 2])) {
      for (std::size_t i = 0; i < first.size(); ++i) candidates_.nearest()[i]->pairs = first[i];
      fitted_ = first_model;
      widened_ = 0;
      warn_of_endless_families();
      count();
      return;
    }
    if (part < kFew || records.empty() || neighbours > kMostNeighbours) return;
    neighbours *= kFactor;
    widened_ = std::max<std::uint64_t>(widened_, records.size());
    look_further(records, neighbours);
    count();
    if (fits) fit();
    if (!fits) look();
    sums.push_back(fitted_.matches);
  }
}

// Neighbours that each record has at first.
std::uint32_t RecordLinker::first_neighbours() const {
  return rules_.candidates[candidates_.nearest()[0]->rule].top;
}

void RecordLinker::warn_of_endless_families() {
  warnings_.push_back(fmt::format(
      "the more neighbours, the more matches: families of siblings, or groups of hundreds; "
      "each record keeps its {} nearest",
      first_neighbours()));
}

// True if nearly all that match the same record match each other, as copies do and siblings do not.
bool RecordLinker::is_transitive() const {
  constexpr double kNearlyAll = 0.9;
  double matching = 0;
  double pairs = 0;
  for (const std::vector<std::uint32_t>& of : likely_partners(likely_, table_.size())) {
    for (std::size_t i = 1; i < of.size(); ++i) {
      pool_.check_cancelled();
      matching += probability(std::min(of[i - 1], of[i]), std::max(of[i - 1], of[i]));
      ++pairs;
    }
  }
  return matching >= kNearlyAll * pairs;
}

// Fits the model where families have no end: siblings agree in all but what tells one entity from
// another, so that a model of all likely pairs is one of families. Among a record's candidates its
// own entity is nearest: pairs compete for partners while the model learns what matches are, though
// not in the answer, where groups are larger. Siblings are of as many kinds as there can be, as
// families differ in what their members share.
void RecordLinker::fit_endless_families() {
  if (!counts_.kept.is_complete) return;
  look();
  if (is_transitive()) return;  // groups of hundreds
  FittedModel fitted = fitted_by(kOnePartner, kMostClasses);
  if (fitted.matches < 1) return;
  has_endless_families_ = true;
  fitted_ = std::move(fitted);
  look();
}

void RecordLinker::look_further(const std::vector<std::uint32_t>& records,
                                std::uint32_t neighbours) {
  for (const auto& nearest : candidates_.nearest()) {
    nearest->lists->find(records, neighbours, pool_);
    memory_.require(kBytesOfPartner * nearest->lists->partners(), "neighbours");
    nearest->pairs = nearest->lists->pairs();
  }
}

void RecordLinker::add_candidates(NearestRule& nearest, PairList pairs) {
  memory_.require(kBytesOfPartner * (pairs.size() + nearest.pairs.partners.size()), "neighbours");
  for (std::uint32_t record = 0; record < table_.size(); ++record) {
    for (const std::uint32_t partner : nearest.pairs[record]) pairs.emplace_back(record, partner);
  }
  nearest.pairs = lists_of(pairs, table_.size());
}

// Makes candidates of pairs that have a likely partner in common, twice. The model stays.
void RecordLinker::close() {
  constexpr int kRounds = 2;
  constexpr std::uint64_t kMostShared = 12'000'000;  // paths over a partner
  if (candidates_.nearest().empty()) return;
  for (int round = 0; round < kRounds; ++round) {
    const auto partners = likely_partners(likely_, table_.size());
    std::uint64_t shared = 0;
    for (const auto& of : partners) shared += std::uint64_t{of.size()} * of.size();
    if (shared > kMostShared) return;
    PairList pairs;
    for (const auto& of : partners) {
      for (std::size_t i = 0; i < of.size(); ++i) {
        for (std::size_t j = i + 1; j < of.size(); ++j) {
          pairs.emplace_back(std::min(of[i], of[j]), std::max(of[i], of[j]));
        }
      }
    }
    const std::uint64_t before = counts_.pairs;
    add_candidates(*candidates_.nearest().front(), std::move(pairs));
    count();
    if (counts_.pairs == before) return;
    look();
  }
}

std::vector<CandidateLink> RecordLinker::score(double least_probability) const {
  if (pair_score_ != nullptr) {
    memory_.require(counts_.pairs * (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink),
                    "links");
    return score_candidates_by({table_, CandidateUnion(candidates_.partners()), comparer_},
                               *pair_score_, pool_);
  }
  if (!has_model()) return {};
  return score_by(model(), least_probability);
}

std::vector<CandidateLink> RecordLinker::score_by(const MatchModel& model,
                                                  double least_probability) const {
  memory_.require(likely_pairs(comparer_, counts_, model, least_probability) *
                      (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink),
                  "links");
  std::vector<CandidateLink> links =
      score_candidates({table_, CandidateUnion(candidates_.partners()), comparer_}, counts_, model,
                       least_probability, pool_);
  let_compete(links, model, one_partner_, table_.size());
  return links;
}

std::vector<ScoredLink> RecordLinker::wanted(
    const std::function<bool(const RecordPair&)>& is_wanted) const {
  if (pair_score_ == nullptr && !has_model()) return {};
  const CandidateUnion found(candidates_.partners());
  std::vector<ScoredLink> links = wanted_candidates({table_, found, comparer_}, pool_, is_wanted);
  for (ScoredLink& link : links) link = score_pair(link.left, link.right).link;
  return links;
}

double RecordLinker::probability_of_best(std::uint64_t most, double least) const {
  if (!has_model()) return least;
  struct Pattern {
    double probability;
    std::uint64_t pairs;
    bool is_kept;
  };
  std::vector<Pattern> patterns;
  patterns.reserve(counts_.patterns.size());
  // Few pairs are compared once more, of many ones those that were kept must do.
  const bool are_few = counts_.pairs <= most;
  for (std::size_t i = 0; i < counts_.patterns.size(); ++i) {
    const auto levels = counts_.patterns[i];
    patterns.push_back({greatest_probability(comparer_, model(), levels), counts_.patterns.count(i),
                        are_few || agrees(levels)});
  }
  std::sort(patterns.begin(), patterns.end(), [](const Pattern& a, const Pattern& b) {
    return std::tie(a.probability, a.pairs) > std::tie(b.probability, b.pairs);
  });
  std::uint64_t kept = 0;
  double lowest = least;
  for (const Pattern& pattern : patterns) {
    kept += pattern.pairs;
    if (kept > most || (!pattern.is_kept && pattern.probability < least)) break;
    lowest = std::min(lowest, pattern.probability);
  }
  return lowest;
}

std::vector<double> RecordLinker::field_bits(const CandidateLink& link) const {
  if (!has_model()) return std::vector<double>(comparer_.fields());
  const std::vector<std::uint8_t> levels = comparer_.levels(link.link.left, link.link.right);
  std::vector<double> bits = model().field_bits(comparer_.grades(levels, link.link.pair()));
  for (std::size_t f = 0; f < bits.size(); ++f) {
    bits[f] += comparer_.frequency_bits(f, model().fields()[f], levels[f], link.link.pair());
  }
  return bits;
}

CandidateLink RecordLinker::score_pair(std::uint32_t left, std::uint32_t right) const {
  if (pair_score_ != nullptr) {
    const double score = pair_score_->score(left, right);
    return {{left, right, score, score / pair_score_->greatest()}, 0};
  }
  if (!has_model()) return {{left, right, 0, 0}, 0};
  return {scored_pair(comparer_, model(), comparer_.levels(left, right), {left, right}), 0};
}

double RecordLinker::probability_by(const MatchModel& model, std::uint32_t left,
                                    std::uint32_t right) const {
  return scored_pair(comparer_, model, comparer_.levels(left, right), {left, right}).probability;
}

double RecordLinker::probability(std::uint32_t left, std::uint32_t right) const {
  return score_pair(left, right).link.probability;
}

std::vector<CandidatePartner> RecordLinker::partners_of(std::uint32_t record) const {
  const CandidateUnion found(candidates_.partners());
  CandidateUnion::Buffers buffers;
  const auto partners = found.of(record, buffers);
  return {partners.begin(), partners.end()};
}

std::uint32_t RecordLinker::rules_of(std::uint32_t left, std::uint32_t right) const {
  return rules_in(partners_of(left), right);
}

std::vector<double> RecordLinker::lost_matches() const {
  const CandidateUnion found(candidates_.partners());
  CandidateUnion::Buffers buffers;
  std::vector<double> lost;
  lost.reserve(findings().size());
  if (pair_score_ == nullptr && !has_model()) return lost;
  for (const RuleFindings& rule : findings()) {
    double sum = 0;
    for (const auto& [left, right] : rule.large.drawn) {
      pool_.check_cancelled();
      const double p = probability(left, right);
      if (p < kLeastLost) continue;
      if (rules_in(found.of(left, buffers), right) == 0) sum += p;
    }
    const auto drawn = static_cast<double>(std::max<std::size_t>(1, rule.large.drawn.size()));
    lost.push_back(sum / drawn * static_cast<double>(rule.large.pairs));
  }
  return lost;
}

double RecordLinker::seconds_a_pair() const {
  constexpr std::uint32_t kRecordsSeen = 1024;
  constexpr std::size_t kPairsOfRecord = 16;
  const CandidateUnion found(candidates_.partners());
  CandidateUnion::Buffers buffers;
  std::uint64_t pairs = 0;
  std::uint32_t seen = 0;  // union of all levels, so that none is left out
  const std::uint32_t records = table_.across ? table_.left : table_.size();
  const std::uint32_t step = records / kRecordsSeen + 1;
  const auto begun = std::chrono::steady_clock::now();
  for (std::uint32_t record = 0; record < records; record += step) {
    const auto partners = found.of(record, buffers);
    const auto some = partners.first(std::min(kPairsOfRecord, partners.size()));
    for (const CandidatePartner& partner : some) {
      for (const std::uint8_t level : comparer_.levels(record, partner.partner)) seen |= level;
    }
    pairs += some.size();
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return pairs == 0 || seen == 0 ? 0 : seconds / static_cast<double>(pairs);
}

}  // namespace sosie
