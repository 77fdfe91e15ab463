// Overview of a saved run as JSON, out of the contents of a page of --report.
#include "report/run_overview.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/summary.h"

namespace sosie {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson flow_json(const ReportFlow& flow) {
  OrderedJson inputs = OrderedJson::array();
  for (const InputCounts& input : flow.inputs) {
    inputs.push_back({{"name", input.name},
                      {"rows", input.rows},
                      {"kept", input.kept},
                      {"identical", input.identical},
                      {"near", input.near},
                      {"bytes", input.bytes}});
  }
  return {{"inputs", inputs}, {"removed", flow.removed}};
}

OrderedJson curves_json(const std::vector<ReportCurve>& curves) {
  OrderedJson out = OrderedJson::array();
  for (const ReportCurve& curve : curves) {
    out.push_back({{"name", curve.name},
                   {"banding", curve.banding},
                   {"at_threshold", curve.at_threshold},
                   {"expected", curve.expected},
                   {"probabilities", curve.probabilities}});
  }
  return out;
}

OrderedJson sizes_json(const std::vector<ReportSizes>& sizes) {
  OrderedJson out = OrderedJson::array();
  for (const ReportSizes& each : sizes) {
    out.push_back(
        {{"first", each.first}, {"last", each.last}, {"groups", each.groups}, {"rows", each.rows}});
  }
  return out;
}

// By id and place of the kept row.
OrderedJson components_json(const std::vector<ReportCluster>& clusters) {
  OrderedJson out = OrderedJson::array();
  for (const ReportCluster& cluster : clusters) {
    if (!cluster.component) continue;
    out.push_back({{"id", cluster.survivor.id},
                   {"file", cluster.survivor.file},
                   {"row", cluster.survivor.row},
                   {"rows", cluster.component->rows},
                   {"kept", cluster.component->survivors}});
  }
  return out;
}

OrderedJson parameters_json(const std::vector<ReportParameter>& parameters) {
  OrderedJson out = OrderedJson::array();
  for (const ReportParameter& each : parameters) {
    out.push_back({{"name", each.name},
                   {"value", each.value},
                   {"is_default", each.is_default},
                   {"help", each.help}});
  }
  return out;
}

}  // namespace

std::string run_overview(const ReportPage& page) {
  OrderedJson summary = OrderedJson::parse(summary_json(page.summary));
  OrderedJson out = {{"summary", summary},
                     {"method", method_line(page.summary)},
                     {"threshold", page.threshold},
                     {"axis", {{"first", page.axis.first}, {"last", page.axis.last}}},
                     {"flow", flow_json(page.flow)},
                     {"bins", page.bins},
                     {"curves", curves_json(page.curves)},
                     {"sizes", sizes_json(page.sizes)},
                     {"components", components_json(page.clusters)},
                     {"parameters", parameters_json(page.parameters)},
                     {"command", page.command},
                     {"version", page.version},
                     {"recipe", page.recipe}};
  return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace sosie
