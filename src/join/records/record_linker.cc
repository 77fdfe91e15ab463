// Candidates, model and scores of one run of `sosie link`.
#include "join/records/record_linker.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

namespace sosie {
namespace {

constexpr double kLeastLost = 1e-3;                   // probabilities below count as none
constexpr std::uint64_t kPairsKeptWhole = 4'000'000;  // so many are all kept
// Kept pairs may use one part in this number of the remaining memory, unless they compete.
constexpr std::uint64_t kPartForPairs = 4;

// Accounts for the memory in use before candidates are searched for, and throws if the rest is not
// sufficient.
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
                           std::uint64_t memory_bytes, ThreadPool& pool, Scratch& scratch,
                           LinkerUse use)
    : table_(table),
      rules_(rules),
      pair_rules_(table, rules),
      pool_(pool),
      memory_(memory_of(table, rules, memory_bytes)),
      comparer_(table, rules, pool),
      candidates_(table, rules, {memory_, pool, scratch, use.left_asks}),
      is_judged_(use.is_judged) {}

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
  one_partner_ = asked_partners();
  if (decides_partners()) {
    one_partner_.left = decisions.one_partner.left;
    one_partner_.right = one_partner_.right && decisions.one_partner.right;
  }
  count();
  if (is_judged_) draw_strangers();
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

// True if the data determine which sides may have several partners.
bool RecordLinker::decides_partners() const noexcept {
  return table_.across && (rules_.assign == Assign::automatic || rules_.assign == Assign::best);
}

void RecordLinker::find_for(const PairScore& score) {
  pair_score_ = &score;
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
  const std::uint64_t pairs_bytes = counts_.kept_bytes();
  memory_.hold(pairs_bytes);
  if (pair_score_ == nullptr && counts_.kept.are_all) {
    const std::uint64_t bytes = sizeof(float) * comparer_.graded().size() * counts_.pairs;
    if (bytes <= memory_.left() / kPartForPairs) {  // links need room, too
      keep_similarities({table_, CandidateUnion(candidates_.partners()), comparer_}, counts_, pool_,
                        &before);
    }
  }
  memory_.hold(counts_.kept_bytes() - pairs_bytes);
  memory_.release(before.kept_bytes());
  if (one_partner_.is_there() && !counts_.kept.is_complete) {
    memory_.require(2 * sizeof(PatternPair) * counts_.pairs, "candidate pairs");
  }
  strangers_ = random_.without(counts_.kept.pairs);
}

std::vector<CandidateLink> RecordLinker::score(double least_probability) const {
  if (pair_score_ != nullptr) {
    memory_.require(counts_.pairs * (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink),
                    "links");
    std::vector<CandidateLink> links = score_candidates_by(
        {table_, CandidateUnion(candidates_.partners()), comparer_}, *pair_score_, pool_);
    for (CandidateLink& link : links) link.link.probability = probability_at(link.link.score);
    part(links);
    if (pair_score_->has_odds()) compete_by_scores(links);
    return links;
  }
  if (!has_model()) return {};
  return score_by(model(), least_probability);
}

double RecordLinker::probability_at(double score) const {
  if (pair_score_ == nullptr) return model().probability_at(score);
  if (!pair_score_->has_odds()) return score / pair_score_->greatest();
  return 1 / (1 + power_of_two(-(scale_.shift + scale_.slope * pair_score_->log_odds(score))));
}

double RecordLinker::score_at(double probability) const {
  if (pair_score_ == nullptr) return model().bits_at(probability);
  if (!pair_score_->has_odds()) return probability * pair_score_->greatest();
  constexpr double kLeast = 1e-12;
  const double bounded = std::clamp(probability, kLeast, 1 - kLeast);
  const double odds = log2_of(bounded) - log2_of(1 - bounded);
  return pair_score_->score_at((odds - scale_.shift) / scale_.slope);
}

// Removes links that a never rule separates.
void RecordLinker::part(std::vector<CandidateLink>& links) const {
  if (!pair_rules_.has_never()) return;
  std::erase_if(links, [&](const CandidateLink& link) {
    return pair_rules_.is_never(link.link.left, link.link.right);
  });
}

std::vector<CandidateLink> RecordLinker::score_by(const MatchModel& model,
                                                  double least_probability) const {
  std::vector<CandidateLink> links = candidates_by(model, least_probability);
  part(links);
  let_compete(links, model, one_partner_, table_.size());
  return links;
}

// Candidates by the odds alone, including pairs that never rules separate.
std::vector<CandidateLink> RecordLinker::candidates_by(const MatchModel& model,
                                                       double least_probability) const {
  const auto require = [this](std::uint64_t links) {
    memory_.require(links * (table_.across ? kBytesOfChosenLink : kBytesOfGroupedLink), "links");
  };
  return score_candidates({table_, CandidateUnion(candidates_.partners()), comparer_}, counts_,
                          model, least_probability, pool_, require);
}

// True if the pair is similar in all fields of each rule that separates it, as copies with typos
// are.
bool RecordLinker::is_slip(const RecordPair& pair) const {
  if (pair_rules_.is_known(pair)) return false;
  const std::vector<std::uint32_t> compared = rules_.compared();
  const auto is_near = [&](std::uint32_t field) {
    const auto at = std::find(compared.begin(), compared.end(), field);
    if (at == compared.end()) return false;
    const auto f = static_cast<std::size_t>(at - compared.begin());
    const std::uint32_t level = comparer_.level(f, pair.left, pair.right);
    return level > 0 && model().fields()[f].bits(level) > 0;
  };
  return std::all_of(rules_.never.begin(), rules_.never.end(), [&](const PairRule& rule) {
    return !pair_rules_.parts(rule, pair.left, pair.right) ||
           std::all_of(rule.begin(), rule.end(), is_near);
  });
}

// True if the rule adds information to the model: it uses a field that is not compared, or fields
// in which relatives may differ.
bool RecordLinker::is_informed(const PairRule& rule) const {
  const std::vector<std::uint32_t> compared = rules_.compared();
  std::vector<std::uint32_t> of_kin;
  for (const auto& kin : {fitted_.kin, fitted_.doubtful_kin}) {
    if (kin) of_kin.insert(of_kin.end(), {compared[kin->first], compared[kin->second]});
  }
  if (fitted_.lone_field) of_kin.push_back(compared[*fitted_.lone_field]);
  const auto has = [](const std::vector<std::uint32_t>& fields, std::uint32_t field) {
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  };
  return std::all_of(rule.begin(), rule.end(), [&](auto field) { return has(of_kin, field); }) ||
         !std::all_of(rule.begin(), rule.end(), [&](auto field) { return has(compared, field); });
}

PartedMatches RecordLinker::parted_matches() const {
  if (!pair_rules_.has_never() || !has_model()) return {};
  const std::vector<CandidateLink> all = candidates_by(model(), kLeastLost);
  // Expected matches among the separated pairs that were counted; they compete with those that are
  // not separated.
  const auto sum_of = [&](const std::function<bool(const RecordPair&)>& counts) {
    std::vector<CandidateLink> links = all;
    std::erase_if(links, [&](const CandidateLink& link) {
      return pair_rules_.is_never(link.link.left, link.link.right) && !counts(link.link.pair());
    });
    let_compete(links, model(), one_partner_, table_.size());
    double sum = 0;
    for (const CandidateLink& link : links) {
      if (!pair_rules_.is_never(link.link.left, link.link.right)) continue;
      sum += link.link.probability;
    }
    return sum;
  };
  std::vector<PairRule> informed = rules_.never;
  std::erase_if(informed, [this](const PairRule& rule) { return !is_informed(rule); });
  const double slips = sum_of([this](const RecordPair& pair) { return is_slip(pair); });
  const double doubted = sum_of([&](const RecordPair& pair) {
    return is_slip(pair) ||
           std::none_of(informed.begin(), informed.end(), [&](const PairRule& rule) {
             return pair_rules_.parts(rule, pair.left, pair.right);
           });
  });
  return {slips, std::max(0.0, doubted - slips)};
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
  // If there are few pairs, they are compared again; otherwise only the kept ones are used.
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
    return {{left, right, score, probability_at(score)}, 0};
  }
  if (!has_model()) return {{left, right, 0, 0}, 0};
  return {scored_by(model(), {left, right}), 0};
}

// Candidates that were kept are not compared again.
ScoredLink RecordLinker::scored_by(const MatchModel& model, const RecordPair& pair) const {
  RecordScorer scorer(comparer_, model);
  if (const PatternPair* const kept = counts_.find(pair)) {
    return scorer.score(pair, counts_.patterns[kept->pattern], counts_.similarities_of(*kept));
  }
  return scorer.score(pair, comparer_.levels(pair.left, pair.right));
}

double RecordLinker::probability_by(const MatchModel& model, std::uint32_t left,
                                    std::uint32_t right) const {
  return scored_by(model, {left, right}).probability;
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
      if (p < kLeastLost || pair_rules_.is_never(left, right)) continue;
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
