// Writes and reads what a saved run of link holds to estimate its quality from labels.
#include "store/run/run_estimate.h"

#include <fmt/format.h>

#include <optional>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "sosie/error.h"
#include "store/run/fact_fields.h"

namespace sosie {
namespace {

constexpr std::size_t kMostStrata = 1000;

double share_in(const FactFields& fields, const char* name) {
  const double share = fields.real(name);
  if (!(share >= 0 && share <= 1)) fields.refuse(fmt::format("'{}' is not from 0 to 1", name));
  return share;
}

double amount_in(const FactFields& fields, const char* name) {
  const double amount = fields.real(name);
  if (!(amount >= 0)) fields.refuse(fmt::format("'{}' is negative", name));
  return amount;
}

PairStratum stratum_in(const FactFields& fields) {
  PairStratum stratum{amount_in(fields, "pairs"), amount_in(fields, "expected"),
                      amount_in(fields, "linked"), fields.flag("is_doubted")};
  if (stratum.linked > stratum.pairs) fields.refuse("a stratum has more links than pairs");
  return stratum;
}

}  // namespace

std::string run_estimate_json(const LabelBasis& basis) {
  JsonWriter json(1);
  json.begin_object();
  json.member("sosie_estimate", kRunEstimateVersion);
  json.begin_array("strata");
  for (const PairStratum& each : basis.strata) {
    json.object({{"pairs", each.pairs},
                 {"expected", each.expected},
                 {"linked", each.linked},
                 {"is_doubted", each.is_doubted}});
  }
  json.end_array();
  json.members({{"links", basis.links},
                {"expected_links", basis.expected_links},
                {"model_precision", basis.model_precision},
                {"model_f1", basis.model_f1},
                {"is_by_words", basis.is_by_words},
                {"has_diverged", basis.has_diverged},
                {"has_surrounded", basis.has_surrounded}});
  if (basis.estimated_f1) json.member("estimated_f1", *basis.estimated_f1);
  json.list("reasons", basis.reasons);
  json.end_object();
  return json.text() + "\n";
}

LabelBasis run_estimate_of(std::string_view text, const std::string& path) {
  const std::optional<JsonValue> json = parse_json(text);
  if (!json) {
    throw Error(ErrorKind::malformed_input, path + ": is not valid JSON",
                "write the run again with --save");
  }
  const FactFields fields(*json, path);
  const std::uint64_t version = fields.number("sosie_estimate");
  if (version != kRunEstimateVersion) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: has version {}; this program reads version {}", path, version,
                            kRunEstimateVersion),
                "write the run again with --save");
  }
  LabelBasis basis;
  if (fields.list("strata").size() > kMostStrata) fields.refuse("'strata' is too long");
  for (const JsonValue& each : fields.list("strata")) {
    basis.strata.push_back(stratum_in({each, path}));
  }
  basis.links = amount_in(fields, "links");
  basis.expected_links = amount_in(fields, "expected_links");
  basis.model_precision = share_in(fields, "model_precision");
  basis.model_f1 = share_in(fields, "model_f1");
  basis.is_by_words = fields.flag("is_by_words");
  basis.has_diverged = fields.flag("has_diverged");
  basis.has_surrounded = fields.flag("has_surrounded");
  if (fields.has("estimated_f1")) basis.estimated_f1 = share_in(fields, "estimated_f1");
  basis.reasons = fields.texts("reasons");
  return basis;
}

}  // namespace sosie
