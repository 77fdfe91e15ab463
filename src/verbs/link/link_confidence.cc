// Judges by other models than its own how far the answer of `sosie link` can be believed.
#include <fmt/format.h>

#include <algorithm>

#include "core/number_text.h"
#include "decide/one_to_one.h"
#include "verbs/link/link_decision.h"

namespace sosie {
namespace {

// Candidates of other models that are looked at.
constexpr double kLeastSeen = 0.01;

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

}  // namespace

// The best pairs of links, as many as the answer has.
std::vector<RecordPair> LinkDecision::best_pairs(std::vector<CandidateLink> links) const {
  if (is_one_to_one()) {
    std::vector<ScoredLink> scored;
    scored.reserve(links.size());
    for (const CandidateLink& link : links) scored.push_back(link.link);
    std::vector<CandidateLink> chosen;
    for (const std::size_t i : one_to_one(scored)) chosen.push_back(links[i]);
    links = std::move(chosen);
  }
  const bool by_score = is_one_to_one();
  std::stable_sort(
      links.begin(), links.end(), [by_score](const CandidateLink& a, const CandidateLink& b) {
        return by_score ? a.link.score > b.link.score : a.link.probability > b.link.probability;
      });
  if (links.size() > kept_.size()) links.resize(kept_.size());
  std::vector<RecordPair> pairs;
  pairs.reserve(links.size());
  for (const CandidateLink& link : links) pairs.push_back(link.link.pair());
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// In how much the answer agrees with that of another model.
double LinkDecision::agreement_with(const MatchModel& other) const {
  const std::vector<CandidateLink> links =
      task_.linker.score_by(other, across() ? least_scored_ : kLeastSeen);
  if (across()) return agreement_of(kept_, best_pairs(links));
  return agreement_of_groups(group_of_, groups_of(links, &other).first);
}

// Adds what speaks against links of two collections.
void LinkDecision::doubt_links(LinkConfidence& found) const {
  constexpr double kMostDoubtful = 0.1;
  constexpr double kLeastSeenPart = 0.5;
  constexpr double kLeastWithoutField = 0.85;
  const std::vector<std::uint32_t> compared = rules().compared();
  double least = 1;
  std::size_t least_field = 0;
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const double agreement = agreement_with(task_.linker.model().without(f));
    if (agreement >= least) continue;
    least = agreement;
    least_field = f;
  }
  if (least < kLeastWithoutField) {
    found.reasons.push_back(fmt::format("without '{}' {} of the links stay",
                                        rules().fields[compared[least_field]].name,
                                        percent(least)));
  }
  double sum = 0;
  double doubtful = 0;
  for (const CandidateLink& link : links_) {
    const double p = task_.linker.model().probability_at(link.link.score);
    sum += p;
    doubtful += p * (1 - p);
  }
  if (doubtful > kMostDoubtful * std::max(1.0, sum)) {
    found.reasons.emplace_back("many pairs are neither clear matches nor clear strangers");
  }
  if (task_.linker.matches() < kLeastSeenPart * static_cast<double>(kept_.size())) {
    found.reasons.push_back(fmt::format("the model sees {} matches, and {} are linked",
                                        rounded_text(task_.linker.matches()),
                                        count_text(kept_.size())));
  }
  if (found.is_low() && found.estimated_f1) {
    found.estimated_f1 = std::min(*found.estimated_f1, least);
  }
}

// By the model; the mean of it and the runners-up where these have made the list longer.
double LinkDecision::expected_f1() const {
  double f1 = facts_.estimates.front().f1;
  if (!across() || kept_.size() <= links_of_model_) return f1;
  for (const QualityEstimate& estimate : facts_.estimates) {
    if (estimate.method != "runner-up" || !estimate.refusal.empty()) continue;
    f1 = (f1 + estimate.f1) / 2;
  }
  return f1;
}

LinkConfidence LinkDecision::confidence() const {
  constexpr std::array<std::size_t, 2> kOtherClasses = {3, 6};
  constexpr double kLeastAgreement = 0.9;
  LinkConfidence found;
  if (facts_.links == 0) {
    found.reasons.emplace_back("nothing is linked");
    return found;
  }
  if (!by_model()) {
    found.reasons.emplace_back(task_.method.by_gap
                                   ? "one column alone: there is nothing to check it by"
                                   : "scores without a model");
    if (judge_) found.estimated_f1 = facts_.estimates[*judge_].f1;
    return found;
  }
  if (facts_.estimates.empty()) {
    found.reasons.emplace_back("there is nothing to learn a model from");
    return found;
  }
  found.estimated_f1 = expected_f1();
  double least = 1;
  for (const std::size_t classes : kOtherClasses) {
    least = std::min(least, agreement_with(task_.linker.refitted(classes)));
  }
  if (least < kLeastAgreement) {
    found.reasons.push_back(
        fmt::format("models with more or fewer kinds of pairs agree in {} of the {}",
                    percent(least), across() ? "links" : "pairs"));
  }
  if (task_.linker.has_diverged()) {
    found.reasons.emplace_back("the more neighbours are compared, the more of them match");
  }
  if (across()) doubt_links(found);
  if (found.is_low() || !across()) found.estimated_f1 = std::min(*found.estimated_f1, least);
  return found;
}

}  // namespace sosie
