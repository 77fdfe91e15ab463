// Candidates, model and scores of one run of `sosie link`.
#include "join/records/record_linker.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <tuple>
#include <utility>

#include "join/records/record_candidates.h"
#include "plan/held_out_field.h"

namespace sosie {
namespace {

constexpr double kLooksLikeMatch = 0.5;
constexpr std::uint32_t kMostNearest = 1024;
constexpr double kLeastLost = 1e-3;  // probabilities below count as none
// Agreeing pairs may take one part in so many of the memory that is left.
constexpr std::uint64_t kPartForAgreeing = 4;

// Part of the pairs of values that are equal.
double equal_part(const RecordTable& table, const RecordColumn& column) {
  std::vector<std::uint64_t> left(column.distinct());
  std::vector<std::uint64_t> right(column.distinct());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    ++(record < table.left ? left : right)[column.values[record]];
  }
  double equal = 0;
  double of_left = 0;
  double of_right = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const auto a = static_cast<double>(left[value]);
    const auto b = static_cast<double>(right[value]);
    equal += table.across ? a * b : a * (a - 1);
    of_left += a;
    of_right += b;
  }
  const double pairs = table.across ? of_left * of_right : of_left * (of_left - 1);
  constexpr double kLeast = 1e-12;
  return pairs <= 0 ? kLeast : std::clamp(equal / pairs, kLeast, 1 - kLeast);
}

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
    pairs.push_back({position(group[0]), position(group[1])});
  }
  return pairs;
}

// Counts the levels of fields that are weighed together, where both are there.
void count_joint(std::span<const std::uint8_t> of_pair, const std::vector<FieldPair>& together,
                 const std::vector<std::uint32_t>& levels,
                 std::vector<std::vector<double>>& joint) {
  for (std::size_t g = 0; g < together.size(); ++g) {
    const std::uint32_t first = of_pair[together[g].first];
    const std::uint32_t second = of_pair[together[g].second];
    if (first > 0 && second > 0) joint[g][first * levels[together[g].second] + second] += 1;
  }
}

// Makes counts of levels shares, of which the one of equal values is known.
void put_equal_share(double equal, std::vector<double>& shares) {
  const double others = std::accumulate(shares.begin() + 1, shares.end() - 1, 0.0);
  for (double& share : shares) share *= (1 - equal) / others;
  shares.front() = 1;
  shares.back() = equal;
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

}  // namespace

RecordLinker::RecordLinker(const RecordTable& table, const LinkRules& rules,
                           std::uint64_t memory_bytes, ThreadPool& pool, Scratch& scratch)
    : table_(table),
      rules_(rules),
      pool_(pool),
      memory_(memory_of(table, rules, memory_bytes)),
      comparer_(table, rules),
      fields_(rules.compared().size()),
      candidates_(table, rules, {memory_, pool, scratch}) {}

void RecordLinker::learn() {
  find();
  count_and_fit();
  if (!choice_.has_two_classes) return;
  widen_all();
  if (widened_ == 0) return;
  count_and_fit();
  if (!choice_.has_two_classes) return;
  // Neighbours are those that a run finds to which this model is given.
  for (const auto& nearest : candidates_.nearest()) {
    const std::uint32_t top = rules_.candidates[nearest->rule].top;
    std::vector<std::uint32_t> wide = all_records(table_.size());
    std::erase_if(wide,
                  [&](std::uint32_t record) { return nearest->lists->of(record).size() <= top; });
    nearest->lists->find(wide, top, pool_);
    nearest->pairs = nearest->lists->pairs();
  }
  widen_all();
  count();
  choice_.fitted.matches = expected_matches(model(), counts_.counts);
}

void RecordLinker::take(MatchModel model, std::vector<std::vector<double>> shares) {
  for (std::size_t f = 0; f < shares.size(); ++f) {
    if (!shares[f].empty()) comparer_.set_shares(f, std::move(shares[f]));
  }
  find();
  choice_.fitted.model = std::move(model);
  widen_all();
  count();
  choice_.fitted.matches = expected_matches(choice_.fitted.model, counts_.counts);
}

void RecordLinker::find_for(const PairScore& score) {
  pair_score_ = &score;
  find();
  count();
  choice_.fitted.model = neutral_model(comparer_.level_counts());
}

// Widens the search for neighbours where it is too narrow; a record that has one partner at most
// needs no more of them.
void RecordLinker::widen_all() {
  widened_ = 0;
  if (table_.across && rules_.assign != Assign::all) return;
  for (const auto& nearest : candidates_.nearest()) widened_ += widen(*nearest);
}

void RecordLinker::count() {
  const CandidateUnion found(candidates_.partners());
  counts_ = {};  // kept pairs are not there twice
  counts_ = count_candidates({table_, found, comparer_}, memory_.left() / kPartForAgreeing, pool_);
  counts_.counts.together = together_of(rules_);
}

void RecordLinker::count_and_fit() {
  count();
  if (candidates_.nearest().empty() && !random_) random_ = compare_random_pairs();
  choice_ = choose_model(counts_.counts, comparer_.level_counts(), random_ ? &*random_ : nullptr,
                         [this] { pool_.check_cancelled(); });
  const std::vector<std::uint32_t> compared = rules_.compared();
  for (std::size_t f = 0; f < fields_; ++f) {
    if (!rules_.fields[compared[f]].frequency) continue;
    choice_.fitted.model.fields[f].chance = equal_part(table_, table_.columns[compared[f]]);
  }
}

// Shares of equal values are counted over all pairs, as they are too rare to be seen in a sample;
// shares of other levels come from a sample.
RandomPairs RecordLinker::compare_random_pairs() const {
  constexpr std::size_t kSample = 100000;
  constexpr double kPseudoPairs = 0.05;
  const std::vector<std::uint32_t>& levels = comparer_.level_counts();
  const auto left = static_cast<double>(table_.left);
  RandomPairs random;
  random.all_pairs =
      table_.across ? left * static_cast<double>(table_.right) : left * (left - 1) / 2;
  for (const std::uint32_t count : levels) random.shares.emplace_back(count, kPseudoPairs);
  const std::vector<FieldPair> together = together_of(rules_);
  std::vector<std::vector<double>> joint;
  joint.reserve(together.size());
  for (const FieldPair& pair : together)
    joint.emplace_back(levels[pair.first] * levels[pair.second]);
  const bool has_pairs = !table_.across || table_.right > 0;
  for (const RecordPair& pair : random_pairs(table_.left, table_.across ? table_.right : 0,
                                             has_pairs ? kSample : 0, /*seed=*/1)) {
    pool_.check_cancelled();
    const std::uint32_t right = table_.across ? table_.left + pair.right : pair.right;
    const std::vector<std::uint8_t> of_pair = comparer_.levels(pair.left, right);
    for (std::size_t f = 0; f < levels.size(); ++f) random.shares[f][of_pair[f]] += 1;
    count_joint(of_pair, together, levels, joint);
  }
  const std::vector<std::uint32_t> compared = rules_.compared();
  for (std::size_t f = 0; f < levels.size(); ++f) {
    std::vector<double>& shares = random.shares[f];
    const double equal = equal_part(table_, table_.columns[compared[f]]);
    put_equal_share(equal, shares);
  }
  for (std::size_t g = 0; g < joint.size(); ++g) {
    random.joint.push_back(joint_shares(joint[g], random.shares[together[g].first],
                                        random.shares[together[g].second]));
  }
  return random;
}

std::uint64_t RecordLinker::widen(NearestRule& nearest) {
  std::vector<std::uint32_t> wide = all_records(table_.size());
  std::uint64_t count = 0;
  for (std::uint32_t most = rules_.candidates[nearest.rule].top; most < kMostNearest; most *= 2) {
    std::erase_if(wide, [&](std::uint32_t record) {
      const auto found = nearest.lists->of(record);
      if (found.size() < most) return true;
      const std::uint32_t last = found.back();
      return probability(std::min(record, last), std::max(record, last)) < kLooksLikeMatch;
    });
    if (wide.empty()) break;
    count = std::max<std::uint64_t>(count, wide.size());
    nearest.lists->find(wide, 2 * most, pool_);
    memory_.require(kBytesOfPartner * nearest.lists->partners(), "neighbours");
  }
  if (count > 0) nearest.pairs = nearest.lists->pairs();
  return count;
}

std::vector<CandidateLink> RecordLinker::score(double least_probability) {
  AgreeingPairs agreeing = std::exchange(counts_.agreeing, {});
  if (!choice_.has_two_classes) return {};
  if (pair_score_ != nullptr) {
    memory_.require(counts_.pairs * (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink),
                    "links");
    return score_candidates_by({table_, CandidateUnion(candidates_.partners()), comparer_},
                               *pair_score_, pool_);
  }
  const std::uint64_t needed = likely_pairs(comparer_, counts_, model(), least_probability) *
                               (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink);
  memory_.require(needed, "links");
  if (needed + sizeof(PatternPair) * agreeing.pairs.size() > memory_.left()) agreeing = {};
  const CandidateUnion found(candidates_.partners());
  return score_candidates({table_, found, comparer_}, {counts_, agreeing}, model(),
                          least_probability, pool_);
}

std::vector<ScoredLink> RecordLinker::wanted(
    const std::function<bool(const RecordPair&)>& is_wanted) const {
  if (!choice_.has_two_classes) return {};
  const CandidateUnion found(candidates_.partners());
  std::vector<ScoredLink> links =
      wanted_candidates({table_, found, comparer_}, model(), pool_, is_wanted);
  if (pair_score_ != nullptr) {
    for (ScoredLink& link : links) link.score = pair_score_->score(link.left, link.right);
  }
  return links;
}

double RecordLinker::probability_of_best(std::uint64_t most, double least) const {
  if (!choice_.has_two_classes) return least;
  struct Pattern {
    double probability;
    std::uint64_t pairs;
    bool is_kept;
  };
  std::vector<Pattern> patterns;
  patterns.reserve(counts_.counts.size());
  // Few pairs are compared once more, of many ones those that were kept must do.
  const bool are_few = counts_.pairs <= most;
  for (std::size_t i = 0; i < counts_.counts.size(); ++i) {
    patterns.push_back({model().probability(counts_.counts[i]), counts_.counts.patterns.count(i),
                        are_few || agrees(counts_.counts[i])});
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
  const std::vector<std::uint8_t> levels = comparer_.levels(link.link.left, link.link.right);
  std::vector<double> bits = model().field_bits(levels);
  for (std::size_t f = 0; f < fields_; ++f) {
    bits[f] += comparer_.frequency_bits(f, model().fields[f], levels[f], link.link.pair());
  }
  return bits;
}

CandidateLink RecordLinker::score_pair(std::uint32_t left, std::uint32_t right) const {
  if (pair_score_ != nullptr) {
    const double score = pair_score_->score(left, right);
    return {{left, right, score, score / pair_score_->greatest()}, 0};
  }
  return {scored_pair(comparer_, model(), comparer_.levels(left, right), {left, right}), 0};
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
  if (!choice_.has_two_classes) return lost;
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
