// Quality of links in summaries: estimated without labels, and measured against known matches.
#include "report/quality_lines.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "report/add_parts.h"

namespace sosie {
namespace {

std::string estimate_line(const QualityEstimate& estimate, std::string_view unit) {
  if (!estimate.refusal.empty()) {
    return fmt::format("none by {}: {}\n", estimate.method, estimate.refusal);
  }
  if (!estimate.knows_recall) {
    return fmt::format("precision {:.3f}, recall unknown, by {}\n", estimate.precision,
                       estimate.method);
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
  const std::string pairs = plural_text(quality.true_pairs, "true pair", "true pairs");
  std::string out =
      quality.output_pairs == 0
          ? fmt::format("truth       none of {} is linked\n", pairs)
          : fmt::format("truth       precision {:.3f}, recall {:.3f}, F1 {:.3f} of {}\n",
                        quality.precision, quality.recall, quality.f1, pairs);
  if (facts.truth_unknown > 0) {
    out += fmt::format("  {} with ids that no record has, not counted\n",
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

void add_bands(const std::vector<ScoreBand>& bands, JsonWriter& json) {
  json.begin_array("bands");
  for (const ScoreBand& band : bands) {
    json.object({{"high", band.high},
                 {"low", band.low},
                 {"links", band.links},
                 {"true_part", band.true_part},
                 {"least", band.least},
                 {"most", band.most}});
  }
  json.end_array();
}

// Adds the estimates of one method.
void add_figures(const QualityEstimate& estimate, JsonWriter& json) {
  const auto known = [&](double figure) {
    return estimate.knows_recall ? JsonScalar(figure) : JsonScalar(nullptr);
  };
  json.members({{"matches", known(estimate.matches)},
                {"precision", estimate.precision},
                {"recall", known(estimate.recall)},
                {"f1", known(estimate.f1)}});
  if (estimate.by_field) {
    const auto& by_field = *estimate.by_field;
    json.list("matches_interval", std::array{by_field.matches.least, by_field.matches.most});
    json.list("f1_interval", std::array{by_field.f1.least, by_field.f1.most});
  }
  if (estimate.cut.links > 0) {
    json.object(
        "cut",
        {{"score", estimate.cut.score}, {"links", estimate.cut.links}, {"f1", estimate.cut.f1}});
  }
  add_bands(estimate.bands, json);
}

void add_estimate(const QualityEstimate& estimate, JsonWriter& json) {
  json.begin_object();
  json.member("method", estimate.method);
  if (!estimate.refusal.empty()) json.member("refusal", estimate.refusal);
  if (estimate.by_field) {
    json.members({{"h0", estimate.by_field->h0},
                  {"h1", estimate.by_field->h1},
                  {"sure_pairs", estimate.by_field->sure_pairs}});
  }
  if (estimate.refusal.empty()) add_figures(estimate, json);
  json.end_object();
}

void add_lost(const LinkFacts& facts, const LostStep& step, bool of_page, JsonWriter& json) {
  json.begin_object(fmt::format("lost_by_{}", step.name));
  json.member("pairs", step.lost.count);
  json.begin_array("examples");
  for (const RecordPair& pair : step.lost.examples) {
    json.begin_array();
    for (const std::uint32_t record : {pair.left, pair.right}) {
      const std::string id = facts.names->of(record);
      json.value(of_page ? brief(id, kBriefId) : id);
    }
    json.end_array();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::array<LostStep, 3> lost_steps(const LinkQuality& quality) {
  return {LostStep{"candidates", quality.by_candidates}, LostStep{"score", quality.by_score},
          LostStep{"decision", quality.by_decision}};
}

std::string quality_lines(const LinkFacts& facts) {
  const std::string_view unit = facts.has_odds ? " bits" : "";
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
                                       joined_text(reasons, "; "), facts.confidence.next_step);
  const bool names_labels = facts.confidence.next_step == kLabelStep;
  if (!reasons.empty() && facts.links > 0 && facts.has_odds && !names_labels &&
      !facts.judgements.has_labels) {
    out += fmt::format("            or:   {}\n", kLabelStep);
  }
  if (facts.truth) out += truth_lines(facts);
  return out;
}

void add_quality(const LinkFacts& facts, bool of_page, JsonWriter& json) {
  json.begin_array("estimates");
  for (const QualityEstimate& estimate : facts.estimates) add_estimate(estimate, json);
  json.end_array();
  const std::optional<double>& f1 = facts.confidence.estimated_f1;
  json.member("estimated_f1", f1 ? JsonScalar(*f1) : JsonScalar(nullptr));
  json.member("confidence", facts.confidence.is_low() ? "low" : "ok");
  json.list("confidence_reasons", facts.confidence.reasons);
  json.member("confidence_next_step", facts.confidence.is_low()
                                          ? JsonScalar(facts.confidence.next_step)
                                          : JsonScalar(nullptr));
  if (!facts.truth) return;
  const LinkQuality& quality = *facts.truth;
  json.begin_object("truth");
  json.members({{"true_pairs", quality.true_pairs},
                {"unknown", facts.truth_unknown},
                {"found", quality.found},
                {"precision",
                 quality.output_pairs == 0 ? JsonScalar(nullptr) : JsonScalar(quality.precision)},
                {"recall", quality.recall},
                {"f1", quality.f1}});
  for (const LostStep& step : lost_steps(quality)) add_lost(facts, step, of_page, json);
  json.end_object();
}

}  // namespace sosie
