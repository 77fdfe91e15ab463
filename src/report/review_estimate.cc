// Estimates the quality of a saved link run from a reviewer's answers.
#include "report/review_estimate.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "decide/judge_by_labels.h"
#include "report/run_pairs.h"

namespace sosie {
namespace {

// Labels of the pairs that have a stratum, in the order in which the pairs were saved.
std::vector<LabelledPair> labels_of(const RunFolder& run, const RunDecisions& decisions) {
  std::vector<LabelledPair> labels;
  for (std::uint64_t number = 0; number < run.pairs().size(); ++number) {
    const RunPair& pair = run.pairs()[number];
    const Verdict verdict = decisions.of(number);
    const auto judgement = judgement_of(pair, verdict, /*as_labels=*/true);
    if (!judgement || *judgement == Verdict::unsure || pair.stratum == 0) continue;
    LabelledPair label;
    label.stratum = pair.stratum - 1;
    // The run itself stores no more digits.
    label.probability = static_cast<float>(std::clamp(pair.probability, 0.0, 1.0));
    label.score = pair.score;
    label.was_linked = pair.has(RunPair::linked);
    label.is_match = *judgement == Verdict::match;
    label.is_linked = verdict == Verdict::none ? label.was_linked : label.is_match;
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

void add_review_estimate(const RunFolder& run, const RunDecisions& decisions, JsonWriter& json) {
  const auto& basis = run.facts().estimate;
  if (!basis) return json.member("estimate", nullptr);
  const std::vector<LabelledPair> labels = labels_of(run, decisions);
  LabelJudgement judgement{{}, {basis->estimated_f1, basis->reasons, {}}};
  json.begin_object("estimate");
  json.member("labels", labels.size());
  if (!labels.empty()) {
    judgement = judge_by_labels(*basis, labels);
    const LabelEstimate& estimate = judgement.estimate;
    json.members({{"matches", estimate.matches},
                  {"precision", estimate.precision},
                  {"recall", estimate.recall},
                  {"f1", estimate.f1},
                  {"error", estimate.error}});
  }
  json.member("confidence", judgement.confidence.is_low() ? "low" : "ok");
  json.list("confidence_reasons", judgement.confidence.reasons);
  json.end_object();
}

}  // namespace sosie
