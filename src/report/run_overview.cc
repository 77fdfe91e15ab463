// Overview of a saved run as JSON, out of the contents of a page of --report.
#include "report/run_overview.h"

#include "core/json_writer.h"
#include "report/summary.h"

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

void add_sizes(const std::vector<ReportSizes>& sizes, JsonWriter& json) {
  json.begin_array("sizes");
  for (const ReportSizes& each : sizes) {
    json.object(
        {{"first", each.first}, {"last", each.last}, {"groups", each.groups}, {"rows", each.rows}});
  }
  json.end_array();
}

// By id and place of the kept row.
void add_components(const std::vector<ReportCluster>& clusters, JsonWriter& json) {
  json.begin_array("components");
  for (const ReportCluster& cluster : clusters) {
    if (!cluster.component) continue;
    json.object({{"id", cluster.survivor.id},
                 {"file", cluster.survivor.file},
                 {"row", cluster.survivor.row},
                 {"rows", cluster.component->rows},
                 {"kept", cluster.component->survivors}});
  }
  json.end_array();
}

void add_parameters(const std::vector<ReportParameter>& parameters, JsonWriter& json) {
  json.begin_array("parameters");
  for (const ReportParameter& each : parameters) {
    json.object({{"name", each.name},
                 {"value", each.value},
                 {"is_default", each.is_default},
                 {"help", each.help}});
  }
  json.end_array();
}

}  // namespace

std::string run_overview(const ReportPage& page) {
  JsonWriter json;
  json.begin_object();
  json.name("summary");
  write_summary(page.summary, json);
  json.members({{"method", method_line(page.summary)}, {"threshold", page.threshold}});
  json.object("axis", {{"first", page.axis.first}, {"last", page.axis.last}});
  add_flow(page.flow, json);
  json.list("bins", page.bins);
  add_curves(page.curves, json);
  add_sizes(page.sizes, json);
  add_components(page.clusters, json);
  add_parameters(page.parameters, json);
  json.members({{"command", page.command}, {"version", page.version}, {"recipe", page.recipe}});
  json.end_object();
  return json.text();
}

}  // namespace sosie
