// Writes the facts about a whole run that a page shows, as JSON.
#include "report/run_overview.h"

#include <fmt/format.h>

#include "core/count_text.h"
#include "report/summary.h"
#include "write/html_text.h"

namespace sosie {
namespace {

void add_flow(const ReportFlow& flow, JsonWriter& json) {
  json.begin_object("flow");
  json.begin_array("inputs");
  for (const InputCounts& input : flow.inputs) {
    json.object({{"name", input.name},
                 {"rows", input.rows},
                 {"kept", input.kept},
                 {"identical", input.identical},
                 {"near", input.near},
                 {"bytes", input.bytes}});
  }
  json.end_array();
  json.list("removed", flow.removed);
  json.end_object();
}

void add_sizes(const std::vector<ReportSizes>& sizes, JsonWriter& json) {
  json.begin_array("sizes");
  for (const ReportSizes& each : sizes) {
    json.object(
        {{"first", each.first}, {"last", each.last}, {"groups", each.groups}, {"rows", each.rows}});
  }
  json.end_array();
}

void add_parameters(const std::vector<ReportParameter>& parameters, JsonWriter& json) {
  json.begin_array("parameters");
  for (const ReportParameter& each : parameters) {
    json.object({{"name", each.name},
                 {"value", each.value},
                 {"is_default", each.is_default},
                 {"is_output", each.is_output},
                 {"help", each.help}});
  }
  json.end_array();
}

void add_templates(const std::vector<TemplateFacts>& templates, JsonWriter& json) {
  json.begin_array("templates");
  for (const TemplateFacts& each : templates) {
    json.object({{"passage", each.passage},
                 {"rows", each.rows},
                 {"may_be_more", each.may_be_more},
                 {"common", each.common},
                 {"candidates", each.candidates}});
  }
  json.end_array();
}

// Noun phrase for the data that the measure compares.
std::string compared_text(const ReportPage& page) {
  if (page.measured) return page.measured->items;
  return fmt::format("texts ({})", page.summary.shingle);
}

// Sentence about the source of the candidates and the recall.
std::string method_claim(const ReportPage& page) {
  const MethodFacts& method = page.summary.method;
  if (page.measured) return fmt::format("Method {}.", page.measured->method);
  if (method.is_of(Method::brute)) return "Every pair was compared: recall is 1.";
  if (method.is_of(Method::exact)) {
    return "Candidates came from a prefix index, which misses no pair: recall is 1.";
  }
  if (method.is_reuse()) {
    return fmt::format("Pairs or groups are those of {}.", method.reused);
  }
  return fmt::format("Of the pairs at the threshold {} are expected to be found.",
                     recall_text(method.expected_recall.value_or(0)));
}

}  // namespace

std::string run_claim(const ReportPage& page) {
  const RunSummary& s = page.summary;
  return fmt::format(
      "{} {} {}{}, computed from both {}, is at {} {}. {}",
      page.is_chained ? "Groups are chains: every removed row reaches its survivor over pairs whose"
      : s.removes_holders ? "Every row that was removed holds an item of --against whose"
                          : "Every near-duplicate was removed against a survivor whose",
      s.measure, page.value_name(), page.is_chained ? "" : " to it", compared_text(page),
      page.measured && !page.measured->is_similarity ? "most" : "least", s.threshold,
      method_claim(page));
}

void add_curves(const std::vector<ReportCurve>& curves, JsonWriter& json) {
  json.begin_array("curves");
  for (const ReportCurve& curve : curves) {
    json.begin_object();
    json.members({{"name", curve.name},
                  {"banding", curve.banding},
                  {"at_threshold", curve.at_threshold},
                  {"expected", curve.expected}});
    json.list("probabilities", curve.probabilities);
    json.end_object();
  }
  json.end_array();
}

void add_histogram(const ReportPage& page, JsonWriter& json) {
  json.object("axis", {{"first", page.axis.first}, {"last", page.axis.last}});
  json.list("bins", page.bins);
  add_curves(page.curves, json);
}

void add_run_overview(const ReportPage& page, bool has_resources, JsonWriter& json) {
  const RunSummary& s = page.summary;
  json.name("summary");
  write_summary(s, json, has_resources);
  json.members({{"method", method_line(s)},
                {"claim", run_claim(page)},
                {"dry_run", s.dry_run},
                {"threshold", page.threshold}});
  json.list("odd_rows", set_aside(s));
  if (!s.templates.empty()) add_templates(s.templates, json);
  add_flow(page.flow, json);
  add_sizes(page.sizes, json);
  add_parameters(page.parameters, json);
  json.members({{"command", page.command},
                {"apply", page.apply},
                {"version", page.version},
                {"recipe", page.recipe}});
}

}  // namespace sosie
