// Divides the scored pairs of `sosie link` into strata in which labelled pairs represent the other
// pairs.
#include "verbs/link/label_strata.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace sosie {
namespace {

// Upper ends of the strata, as probabilities.
constexpr std::array kEnds = {1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 1.1};

// Below this probability, the model is trusted about pairs that are not the best for either record.
constexpr double kBelieved = 0.05;

}  // namespace

std::vector<Standing> standings_of(const LinkDecision& decision, const RecordTable& table) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  const auto scored = decision.scored();
  std::vector<Standing> standings;
  standings.reserve(scored.size());
  std::uint32_t records = 0;
  for (const CandidateLink& link : scored) records = std::max(records, link.link.right + 1);
  std::vector<bool> has_link(records);
  std::vector<double> best(records, kNone);  // score of each record's best pair
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

LabelStrata::LabelStrata(const LinkDecision& free, const RecordTable& table)
    : strata_(kStrata),
      first_of_group_(free.first_of_group().begin(), free.first_of_group().end()) {
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
}

const LabelStrata::Scored* LabelStrata::find(const RecordPair& pair) const {
  const auto found = std::partition_point(scored_.begin(), scored_.end(),
                                          [&](const Scored& scored) { return scored.pair < pair; });
  return found != scored_.end() && found->pair == pair ? &*found : nullptr;
}

LabelBasis LabelStrata::basis_of(const LinkDecision& decision, const RecordLinker& linker,
                                 const LinkFacts& facts) const {
  LabelBasis basis;
  basis.strata = strata_;
  for (const Scored& scored : scored_) {
    if (!decision.is_linked(scored.pair)) continue;
    basis.strata[scored.stratum].linked += 1;
    basis.expected_links += scored.probability;
  }
  basis.links = static_cast<double>(facts.links);
  basis.model_precision = facts.estimates.front().precision;
  basis.model_f1 = facts.estimates.front().f1;
  basis.is_by_words = decision.is_by_words();
  basis.has_diverged = linker.has_diverged();
  basis.has_surrounded = linker.has_surrounded();
  basis.estimated_f1 = facts.confidence.estimated_f1;
  basis.reasons = facts.confidence.reasons;
  return basis;
}

std::size_t LabelStrata::place_of(const RecordPair& pair) const {
  if (const Scored* const scored = find(pair)) return scored->stratum;
  const bool is_grouped =
      !first_of_group_.empty() && first_of_group_[pair.left] == first_of_group_[pair.right];
  return is_grouped ? kStrata : kStrata + 1;
}

std::vector<LabelledPair> LabelStrata::labelled(std::span<const Judgement> labels,
                                                const LinkDecision& decision,
                                                const RecordLinker& linker) const {
  std::vector<LabelledPair> pairs;
  pairs.reserve(labels.size());
  for (const Judgement& label : labels) {
    const Scored* const scored = find(label.pair);
    const bool is_linked = decision.is_linked(label.pair);
    pairs.push_back({place_of(label.pair), scored == nullptr ? 0.0F : scored->probability,
                     linker.score_pair(label.pair.left, label.pair.right).link.score, is_linked,
                     is_linked, label.is_match});
  }
  return pairs;
}

void add_label_estimate(const LabelBasis& basis, std::span<const LabelledPair> labels,
                        LinkFacts& facts) {
  LabelJudgement found = judge_by_labels(basis, labels);
  QualityEstimate estimate;
  estimate.method = "labels";
  estimate.matches = found.estimate.matches;
  estimate.precision = found.estimate.precision;
  estimate.recall = found.estimate.recall;
  estimate.f1 = found.estimate.f1;
  // Without these labels, the number of matches cannot be estimated from a single column.
  if (basis.is_by_words) facts.estimates.clear();
  facts.estimates.push_back(estimate);
  facts.confidence.estimated_f1 = found.confidence.estimated_f1;
  facts.confidence.reasons = std::move(found.confidence.reasons);
}

}  // namespace sosie
