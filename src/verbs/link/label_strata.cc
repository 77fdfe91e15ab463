// Estimates the quality of `sosie link` from labelled pairs.
#include "verbs/link/label_strata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/count_text.h"

namespace sosie {
namespace {

// Upper ends of the strata, as probabilities.
constexpr std::array kEnds = {1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 1.1};

// Probability below which the model is trusted on pairs that are not the best of either record.
constexpr double kBelieved = 0.05;

// Share of the combinations of a pair labelled 1 and a pair labelled 0 in which the former scores
// higher. Any useful model achieves this for most of them; 1 if there are few of either label.
double ranked_part(std::span<const Judgement> labels, const RecordLinker& linker) {
  constexpr std::size_t kFewest = 5;
  std::vector<double> matches;
  std::vector<double> others;
  for (const Judgement& label : labels) {
    const double score = linker.score_pair(label.pair.left, label.pair.right).link.score;
    (label.is_match ? matches : others).push_back(score);
  }
  if (matches.size() < kFewest || others.size() < kFewest) return 1;
  std::sort(others.begin(), others.end());
  double above = 0;
  for (const double score : matches) {
    const auto [first, last] = std::equal_range(others.begin(), others.end(), score);
    above += static_cast<double>((first - others.begin()) + (last - others.begin())) / 2;
  }
  return above / static_cast<double>(matches.size() * others.size());
}

}  // namespace

std::vector<Standing> standings_of(const LinkDecision& decision, const RecordTable& table) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const auto scored = decision.scored();
  std::vector<Standing> standings;
  standings.reserve(scored.size());
  std::uint32_t records = 0;
  for (const CandidateLink& link : scored) records = std::max(records, link.link.right + 1);
  std::vector<bool> has_link(records);
  std::vector<double> best(records, kNone);  // score of the best pair of each record
  for (const CandidateLink& link : scored) {
    const auto [left, right] = link.link.pair();
    const bool is_linked = decision.is_linked({left, right});
    standings.push_back(is_linked ? Standing::linked : Standing::beside);
    for (const std::uint32_t record : {left, right}) {
      if (is_linked) has_link[record] = true;
      best[record] = std::max(best[record], link.link.score);
    }
  }
  for (std::size_t i = 0; i < scored.size(); ++i) {
    const ScoredLink& link = scored[i].link;
    const bool of_left = !has_link[link.left] && link.score == best[link.left];
    const bool of_right = !has_link[link.right] && link.score == best[link.right];
    const bool is_nearest = !table.across               ? of_left && of_right
                            : table.left <= table.right ? of_left
                                                        : of_right;
    if (is_nearest) standings[i] = Standing::nearest;
  }
  return standings;
}

std::size_t LabelStrata::stratum_of(double probability, Standing standing) {
  constexpr std::size_t kStandings = 3;
  const auto end = std::upper_bound(kEnds.begin(), kEnds.end() - 1, probability);
  return kStandings * static_cast<std::size_t>(end - kEnds.begin()) +
         static_cast<std::size_t>(standing);
}

LabelStrata::LabelStrata(std::span<const Judgement> labels, const LinkDecision& free,
                         const RecordTable& table)
    : labels_(labels), strata_(kStrata + 1) {
  scored_.reserve(free.scored().size());
  const std::vector<Standing> standings = standings_of(free, table);
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const ScoredLink& link = free.scored()[i].link;
    const double p = std::clamp(link.probability, 0.0, 1.0);
    const std::size_t stratum = stratum_of(p, standings[i]);
    strata_[stratum].pairs += 1;
    strata_[stratum].expected += p;
    strata_[stratum].is_doubted = standings[i] != Standing::beside || p >= kBelieved;
    scored_.push_back({link.pair(), static_cast<float>(p), static_cast<std::uint8_t>(stratum)});
  }
  for (const Judgement& label : labels_) {
    Scored* const scored = find(label.pair);
    if (scored == nullptr) unscored_.push_back(label);
    if (scored == nullptr && !free.is_linked(label.pair)) continue;
    LabelStratum& stratum = strata_[scored == nullptr ? kStrata : scored->stratum];
    if (scored != nullptr) scored->is_labelled = true;
    stratum.labelled += 1;
    stratum.matches += label.is_match ? 1 : 0;
  }
}

LabelStrata::Scored* LabelStrata::find(const RecordPair& pair) {
  const auto found = std::partition_point(scored_.begin(), scored_.end(),
                                          [&](const Scored& scored) { return scored.pair < pair; });
  return found != scored_.end() && found->pair == pair ? &*found : nullptr;
}

LabelEstimate LabelStrata::judge(const LinkDecision& decision, const LinkFacts& facts) const {
  std::vector<LabelStratum> strata = strata_;
  LabelCounts counts;
  double linked = 0;
  double expected = 0;  // among the links that were scored
  for (const Scored& scored : scored_) {
    if (scored.is_labelled) continue;
    LabelStratum& stratum = strata[scored.stratum];
    if (decision.is_linked(scored.pair)) {
      stratum.linked += 1;
      linked += 1;
      expected += scored.probability;
    } else {
      stratum.others += 1;
    }
  }
  for (const Judgement& label : labels_) {
    const bool is_linked = decision.is_linked(label.pair);
    linked += is_linked ? 1 : 0;
    counts.linked_matches += is_linked && label.is_match ? 1 : 0;
    counts.linked_others += is_linked && !label.is_match ? 1 : 0;
    counts.missed_matches += !is_linked && label.is_match ? 1 : 0;
  }
  LabelStratum& unscored = strata.back();
  const auto links = static_cast<double>(facts.links);
  unscored.linked = std::max(0.0, links - linked);
  unscored.pairs = unscored.linked + static_cast<double>(unscored_.size());
  const double of_model = facts.estimates.front().precision * links - counts.linked_matches;
  unscored.expected = std::clamp(of_model - expected, 0.0, unscored.pairs);
  return estimate_by_labels(strata, counts);
}

namespace {

// Doubts about links by a single column after a check with labels. `count`: number of labels as
// text.
std::vector<std::string> doubts_of_words(const LabelEstimate& found, bool are_enough,
                                         const std::string& count) {
  if (!found.is_covered) return {fmt::format("the {} cover too few kinds of links", count)};
  if (are_enough) return {};
  return {fmt::format("the {} leave F1 uncertain by {:.2f}", count, 2 * found.error)};
}

}  // namespace

void judge_by_labels(const LabelStrata& strata, const LinkLabels& labels,
                     const RecordLinker& linker, const LinkDecision& decision, LinkFacts& facts) {
  constexpr std::size_t kFewestToJudge = 30;
  constexpr double kMostError = 0.05;  // standard error from which on a figure says little
  constexpr double kFarOff = 0.1;
  constexpr double kLeastRecall = 0.8;
  constexpr double kLeastRanked = 0.35;  // less is less than chance
  if (facts.estimates.empty() || facts.links == 0) return;
  const double of_model = facts.estimates.front().f1;
  const LabelEstimate found = strata.judge(decision, facts);
  QualityEstimate estimate;
  estimate.method = "labels";
  estimate.matches = found.matches;
  estimate.precision = found.precision;
  estimate.recall = found.recall;
  estimate.f1 = found.f1;
  // Without these labels, a single column gives no number of matches.
  if (decision.is_by_words()) facts.estimates.clear();
  facts.estimates.push_back(estimate);
  LinkConfidence& confidence = facts.confidence;
  const bool are_enough =
      labels.pairs.size() >= kFewestToJudge && found.is_covered && found.error <= kMostError;
  const double off = std::abs(found.f1 - of_model);
  const std::string count = plural_text(labels.pairs.size(), "label", "labels");
  if (decision.is_by_words() && labels.pairs.size() >= kFewestToJudge) {
    confidence.reasons = doubts_of_words(found, are_enough, count);
  }
  if (are_enough) {
    // Labels cannot reveal matches that were never compared.
    const bool misses_many = found.recall < kLeastRecall;
    if (linker.has_surrounded()) {
      confidence.reasons.emplace_back(
          "records match most of their neighbours, so there may be more matches");
    }
    if (misses_many) {
      confidence.reasons.push_back(fmt::format(
          "by the labels, the links miss {:.0f} % of the compared matches, and perhaps more",
          100 * (1 - found.recall)));
    }
    if (linker.has_diverged() || linker.has_surrounded() || misses_many) {
      confidence.estimated_f1 = std::min(confidence.estimated_f1.value_or(1), found.f1);
    } else {
      confidence.reasons.clear();
      confidence.estimated_f1 = found.f1;
    }
  }
  if (ranked_part(labels.pairs, linker) < kLeastRanked) {
    confidence.reasons.emplace_back("pairs labelled 1 do not score higher than those labelled 0");
  }
  if (off > kFarOff + (are_enough ? 0 : 2 * found.error)) {
    confidence.reasons.push_back(
        fmt::format("F1 is {:.2f} by {}, but {:.2f} by the model", found.f1, count, of_model));
    confidence.estimated_f1 = std::min(confidence.estimated_f1.value_or(1), found.f1);
  }
}

}  // namespace sosie
