// The quality of links in summaries: estimated without labels, and measured against the truth.
#include "report/link_quality_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/number_text.h"

namespace sosie {
namespace {

using Json = nlohmann::ordered_json;

std::string estimate_line(const QualityEstimate& estimate, std::string_view unit) {
  if (!estimate.refusal.empty()) {
    return fmt::format("none by {}: {}\n", estimate.method, estimate.refusal);
  }
  std::string line = fmt::format("precision {:.3f}, recall {:.3f}, F1 {:.3f} of {} matches, by {}",
                                 estimate.precision, estimate.recall, estimate.f1,
                                 rounded_text(estimate.matches), estimate.method);
  if (estimate.by_field) {
    line += fmt::format(" ({} to {} matches)", rounded_text(estimate.by_field->matches.least),
                        rounded_text(estimate.by_field->matches.most));
  }
  if (estimate.cut.links > 0) line += fmt::format("; its cut {:.2f}{}", estimate.cut.score, unit);
  return line + "\n";
}

std::string truth_lines(const LinkFacts& facts) {
  const LinkQuality& quality = *facts.truth;
  std::string out = fmt::format("truth       precision {:.3f}, recall {:.3f}, F1 {:.3f} of {}\n",
                                quality.precision, quality.recall, quality.f1,
                                plural_text(quality.true_pairs, "true pair", "true pairs"));
  if (facts.truth_unknown > 0) {
    out += fmt::format("  {} of ids that no record has, not counted\n",
                       plural_text(facts.truth_unknown, "pair", "pairs"));
  }
  for (const LostStep& step : lost_steps(quality)) {
    out += fmt::format("  lost by {:<14} {:>12}", step.name, count_text(step.lost.count));
    for (std::size_t i = 0; i < step.lost.examples.size(); ++i) {
      const RecordPair& pair = step.lost.examples[i];
      out += fmt::format("{}{} {}", i == 0 ? "   " : ", ", facts.names->of(pair.left),
                         facts.names->of(pair.right));
    }
    out += "\n";
  }
  return out;
}

Json bands_json(const std::vector<ScoreBand>& bands) {
  Json list = Json::array();
  for (const ScoreBand& band : bands) {
    list.push_back({{"high", band.high},
                    {"low", band.low},
                    {"links", band.links},
                    {"true_part", band.true_part},
                    {"least", band.least},
                    {"most", band.most}});
  }
  return list;
}

Json estimate_json(const QualityEstimate& estimate) {
  Json json = {{"method", estimate.method}};
  if (!estimate.refusal.empty()) json["refusal"] = estimate.refusal;
  if (estimate.by_field) {
    json["h0"] = estimate.by_field->h0;
    json["h1"] = estimate.by_field->h1;
    json["sure_pairs"] = estimate.by_field->sure_pairs;
  }
  if (!estimate.refusal.empty()) return json;
  json["matches"] = estimate.matches;
  json["precision"] = estimate.precision;
  json["recall"] = estimate.recall;
  json["f1"] = estimate.f1;
  if (estimate.by_field) {
    json["matches_interval"] = {estimate.by_field->matches.least, estimate.by_field->matches.most};
    json["f1_interval"] = {estimate.by_field->f1.least, estimate.by_field->f1.most};
  }
  if (estimate.cut.links > 0) {
    json["cut"] = {
        {"score", estimate.cut.score}, {"links", estimate.cut.links}, {"f1", estimate.cut.f1}};
  }
  json["bands"] = bands_json(estimate.bands);
  return json;
}

Json lost_json(const LinkFacts& facts, const LostPairs& lost) {
  Json examples = Json::array();
  for (const RecordPair& pair : lost.examples) {
    examples.push_back({facts.names->of(pair.left), facts.names->of(pair.right)});
  }
  return {{"pairs", lost.count}, {"examples", std::move(examples)}};
}

}  // namespace

std::array<LostStep, 3> lost_steps(const LinkQuality& quality) {
  return {LostStep{"candidates", quality.by_candidates}, LostStep{"score", quality.by_score},
          LostStep{"decision", quality.by_decision}};
}

std::string quality_lines(const LinkFacts& facts) {
  const std::string_view unit = facts.method == ScoreMethod::fellegi_sunter ? " bits" : "";
  std::string out;
  for (const QualityEstimate& estimate : facts.estimates) {
    out += out.empty() ? "estimated   " : "            ";
    out += estimate_line(estimate, unit);
  }
  if (facts.confidence.estimated_f1) {
    out += fmt::format("{}F1 {:.3f} in all\n", out.empty() ? "estimated   " : "            ",
                       *facts.confidence.estimated_f1);
  }
  const std::vector<std::string>& reasons = facts.confidence.reasons;
  out += reasons.empty() ? "confidence  ok\n"
                         : fmt::format("confidence  low: {}\n            next: {}\n",
                                       fmt::join(reasons, "; "), facts.confidence.next_step);
  if (facts.truth) out += truth_lines(facts);
  return out;
}

void add_quality(const LinkFacts& facts, Json& json) {
  json["estimates"] = Json::array();
  for (const QualityEstimate& estimate : facts.estimates) {
    json["estimates"].push_back(estimate_json(estimate));
  }
  const std::optional<double>& f1 = facts.confidence.estimated_f1;
  json["estimated_f1"] = f1 ? Json(*f1) : Json(nullptr);
  json["confidence"] = facts.confidence.is_low() ? "low" : "ok";
  json["confidence_reasons"] = facts.confidence.reasons;
  json["confidence_next_step"] =
      facts.confidence.is_low() ? Json(facts.confidence.next_step) : Json(nullptr);
  if (!facts.truth) return;
  const LinkQuality& quality = *facts.truth;
  json["truth"] = {{"true_pairs", quality.true_pairs}, {"unknown", facts.truth_unknown},
                   {"found", quality.found},           {"precision", quality.precision},
                   {"recall", quality.recall},         {"f1", quality.f1}};
  for (const LostStep& step : lost_steps(quality)) {
    json["truth"][fmt::format("lost_by_{}", step.name)] = lost_json(facts, step.lost);
  }
}

}  // namespace sosie
