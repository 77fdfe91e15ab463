// Adds a person's labels to the model of a run of `sosie link`.
#include <algorithm>
#include <utility>
#include <vector>

#include "join/records/record_linker.h"
#include "plan/odds_scale.h"

namespace sosie {
namespace {

constexpr double kLeastRival = 1e-6;  // probability below which a pair is nobody's rival
constexpr std::uint64_t kMostRivals = 1'000'000;
constexpr double kMostBits = 72;              // odds are no higher where pairs compete
constexpr double kMostCompeting = 1 - 1e-12;  // probability, where pairs compete by scores
constexpr std::size_t kFewestCounted = 30;    // judgements that count like pairs of the data

double bits_of_odds(const MatchModel& model, double score) {
  return log2_of(model.odds_at(std::min(score, kMostBits)));
}

}  // namespace

// Odds of judged pairs under a model, each among all pairs of its records.
std::vector<JudgedOdds> RecordLinker::judged_odds(const MatchModel& model, Competition one_partner,
                                                  std::span<const Judgement> known) const {
  std::vector<std::vector<double>> of_record(table_.size());
  std::vector<bool> is_judged(table_.size());
  for (const Judgement& judged : known) {
    is_judged[judged.pair.left] = is_judged[judged.pair.right] = true;
  }
  if (one_partner.is_there()) {
    for (const CandidateLink& link : rivals_by(model)) {
      const double bits = bits_of_odds(model, link.link.score);
      for (const std::uint32_t record : {link.link.left, link.link.right}) {
        if (is_judged[record]) of_record[record].push_back(bits);
      }
    }
  }
  std::vector<JudgedOdds> all;
  all.reserve(known.size());
  for (const Judgement& judged : known) {
    JudgedOdds& odds = all.emplace_back();
    odds.odds = bits_of_odds(model, scored_by(model, judged.pair).score);
    if (one_partner.left) odds.of_left = of_record[judged.pair.left];
    if (one_partner.right) odds.of_right = of_record[judged.pair.right];
    odds.is_match = judged.is_match;
  }
  return all;
}

// Candidates that may take a partner from others once the odds are scaled.
std::vector<CandidateLink> RecordLinker::rivals_by(const MatchModel& model) const {
  std::vector<CandidateLink> links =
      candidates_by(model, probability_of_best(kMostRivals, kLeastRival));
  part(links);
  return links;
}

void RecordLinker::try_model(LabelledModel tried, std::span<const Judgement> known,
                             LabelledModel& best) const {
  constexpr double kClearly = 3;  // bits by which another model must explain judgements better
  pool_.check_cancelled();
  const FittedOdds odds = fit_odds_scale(judged_odds(tried.fitted.model, tried.one_partner, known),
                                         /*may_bend=*/tried.one_partner.is_there());
  tried.scale = odds.scale;
  tried.loss = odds.loss;
  const bool is_first = best.fitted.model.is_empty();
  if (is_first || tried.loss + kClearly < best.loss) best = std::move(tried);
}

// Levels of judged pairs, for fits that count them; empty if there are few judgements.
std::vector<JudgedPattern> RecordLinker::known_patterns(std::span<const Judgement> known) const {
  std::vector<JudgedPattern> patterns;
  if (known.size() < kFewestCounted) return patterns;
  for (const Judgement& judged : known) {
    const std::vector<std::uint8_t> levels = comparer_.levels(judged.pair.left, judged.pair.right);
    patterns.push_back({levels, counts_.patterns.find(levels), judged.is_match});
  }
  return patterns;
}

// Tries models with other numbers of classes, and with several partners on other sides.
void RecordLinker::try_fits(std::span<const Judgement> known, LabelledModel& best) {
  known_patterns_ = known_patterns(known);
  const Competition in_fit = has_endless_families_ ? kOnePartner : one_partner_;
  const std::size_t classes = model().classes().size();
  if (!known_patterns_.empty()) {
    best = {};
    try_model({fitted_by(in_fit, classes), one_partner_}, known, best);
  }
  for (const std::size_t other : {std::size_t{3}, std::size_t{6}}) {
    if (other != classes) try_model({fitted_by(in_fit, other), one_partner_}, known, best);
  }
  if (!table_.across) {
    const Competition changed = in_fit.is_there() ? Competition{} : kOnePartner;
    try_model({fitted_by(changed, kUsualClasses), one_partner_}, known, best);
    return;
  }
  if (!decides_partners()) return;
  for (const Competition sides :
       {kOnePartner, Competition{false, true}, Competition{true, false}}) {
    if (sides != one_partner_) try_model({fitted_by(sides, kUsualClasses), sides}, known, best);
  }
}

// Learns the scale from scores in bits to odds from a person's judgements.
void RecordLinker::learn_scale_from(std::span<const Judgement> known) {
  const Competition one_partner = asked_partners();
  std::vector<std::vector<double>> of_record(table_.size());
  for (const CandidateLink& link : score(0)) {
    const double bits = pair_score_->log_odds(link.link.score);
    if (one_partner.left) of_record[link.link.left].push_back(bits);
    if (one_partner.right) of_record[link.link.right].push_back(bits);
  }
  std::vector<JudgedOdds> all;
  all.reserve(known.size());
  for (const Judgement& judged : known) {
    const auto [left, right] = judged.pair;
    all.push_back({pair_score_->log_odds(pair_score_->score(left, right)), of_record[left],
                   of_record[right], judged.is_match});
  }
  scale_ = fit_odds_scale(all, /*may_bend=*/true).scale;
  fitted_.matches = expected_matches(score(0));
}

// Lets pairs of a record that has one partner compete by the odds of their scores.
void RecordLinker::compete_by_scores(std::vector<CandidateLink>& links) const {
  const Competition one_partner = asked_partners();
  if (!one_partner.is_there()) return;
  std::vector<double> of_record(table_.size());
  std::vector<double> odds;
  odds.reserve(links.size());
  for (const CandidateLink& link : links) {
    const double p = std::min(link.link.probability, kMostCompeting);
    odds.push_back(p / (1 - p));
    if (one_partner.left) of_record[link.link.left] += odds.back();
    if (one_partner.right) of_record[link.link.right] += odds.back();
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto [left, right] = links[i].link.pair();
    const double rivals = std::max({odds[i], of_record[left], of_record[right]});
    links[i].link.probability = odds[i] / (1 + rivals);
  }
}

void RecordLinker::learn_from(std::span<const Judgement> known, bool fits) {
  if (pair_score_ != nullptr) return learn_scale_from(known);
  if (!has_model()) return;
  LabelledModel best;
  fitted_.model = fitted_.model.scaled({});
  try_model({fitted_, one_partner_}, known, best);
  if (fits) try_fits(known, best);
  one_partner_ = best.one_partner;
  fitted_ = std::move(best.fitted);
  scale_ = best.scale;
  fitted_.model = fitted_.model.scaled(scale_);
  look();
  if (!candidates_.nearest().empty() && !table_.across) {
    surrounded_ = surrounded(first_neighbours()).size();
  }
  likely_ = {};
}

}  // namespace sosie
