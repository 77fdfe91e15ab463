// Writes plans as JSON and reads them back, checked.
#include "plan/saved_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "data/columns.h"
#include "data/kinds.h"
#include "io/file.h"
#include "plan/lsh_plan.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr int kPlanVersion = 1;
constexpr std::string_view kForecast = "forecast";
// A plan has a few hundred bytes; a file given by mistake must not be read completely.
constexpr std::uint64_t kMaxFileBytes = 1U << 16;

// TABLE: the fields of each kind of plan, in order. Plans of sets and bags are called text.
struct PlanForm {
  std::vector<std::string_view> fields;

  [[nodiscard]] bool has(std::string_view field) const {
    return std::find(fields.begin(), fields.end(), field) != fields.end();
  }
};

// `bound`: the field for the threshold or the maximum distance.
PlanForm form_of(KindBit kind, std::string_view bound) {
  using Fields = std::vector<std::string_view>;
  if (!has_any(kVectorItems | kBitItems, kind)) {
    return {Fields{"sosie_plan", "recipe", "measure", "kind", "shingle", "tokens", "sketch",
                   "threshold", "recall", "seed", "components", "bands", "rows",
                   "filter_agreements"}};
  }
  Fields fields{"sosie_plan", "recipe", "measure", "kind",  "family",
                bound,        "recall", "seed",    "bands", "rows"};
  const Fields of_vectors{"segment", "probes", "sketch_bits", "most_different"};
  const Fields of_bits{"bits"};
  const Fields& more = kind == kBitItems ? of_bits : of_vectors;
  fields.insert(fields.end(), more.begin(), more.end());
  return {std::move(fields)};
}

// Reads the fields of one object; errors name the file and the field.
class FieldReader {
 public:
  FieldReader(const JsonValue& object, const std::string& name) : object_(object), name_(name) {}

  [[noreturn]] void fail(std::string_view field, std::string_view problem) const {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: field '{}': {}", name_, field, problem));
  }

  [[nodiscard]] const JsonValue& at(std::string_view field) const {
    const JsonValue* found = object_.find(field);
    if (found == nullptr) fail(field, "missing");
    return *found;
  }

  [[nodiscard]] std::string text(std::string_view field) const {
    const JsonValue& value = at(field);
    if (!value.is_text()) fail(field, "must be a string");
    if (value.text().empty()) fail(field, "is empty");
    return value.text();
  }

  [[nodiscard]] std::uint64_t whole_number(std::string_view field) const {
    const JsonValue& value = at(field);
    if (!value.is_natural()) fail(field, "must be a whole number of at least 0");
    return value.natural();
  }

  [[nodiscard]] int whole_number(std::string_view field, int least, int most) const {
    const std::uint64_t value = whole_number(field);
    if (value < static_cast<std::uint64_t>(least) || value > static_cast<std::uint64_t>(most)) {
      fail(field, fmt::format("{} is not in {} to {}", value, least, most));
    }
    return static_cast<int>(value);
  }

  // A distance, as a string.
  [[nodiscard]] Bound distance(std::string_view field) const {
    const auto value = parse_bound(text(field), BoundSide::not_above);
    if (!value) fail(field, "is not a number of at least 0, such as \"3\" or \"1/3\"");
    return *value;
  }

  [[nodiscard]] double number(std::string_view field, double least, double most) const {
    const JsonValue& value = at(field);
    if (!value.is_number()) fail(field, "must be a number");
    const double number = value.number();
    if (!(number >= least && number <= most)) {
      fail(field, fmt::format("{} is not in {} to {}", number, least, most));
    }
    return number;
  }

  [[nodiscard]] bool has(std::string_view field) const { return object_.find(field) != nullptr; }

  // A fraction in (0, 1], as a string: a JSON number would be rounded to a double.
  [[nodiscard]] Bound share(std::string_view field) const {
    const std::string written = text(field);
    const auto value = parse_bound(written, BoundSide::not_below);
    if (!value || value->num == 0 || value->num > value->den) {
      fail(field, fmt::format(R"('{}' is not in (0, 1], such as "0.8" or "4/5")", written));
    }
    return *value;
  }

 private:
  const JsonValue& object_;
  const std::string& name_;
};

JsonValue parse_object(std::string_view json, const std::string& name) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::malformed_input, what, "`sosie plan -o FILE` writes a plan");
  };
  JsonFault fault;
  std::optional<JsonValue> object = parse_json(json, &fault);
  if (!object && fault.kind == JsonFault::Kind::large_number) {
    refuse(fmt::format("{}: a number is too large", name));
  }
  if (!object) {
    const std::string_view read = json.substr(0, fault.byte);
    refuse(
        fmt::format("{}:{}: not valid JSON", name, 1 + std::count(read.begin(), read.end(), '\n')));
  }
  if (!fault.repeated.empty()) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: field '{}': occurs twice", name, fault.repeated));
  }
  if (!object->is_object()) refuse(fmt::format("{}: not a JSON object", name));
  return std::move(*object);
}

void check_version(const FieldReader& reader, const std::string& name) {
  if (!reader.has("sosie_plan")) {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: not a plan of sosie", name),
                "`sosie plan -o FILE` writes a plan");
  }
  const std::uint64_t version = reader.whole_number("sosie_plan");
  if (version != kPlanVersion) {
    throw Error(ErrorKind::unsupported, fmt::format("{}: plan format {}, this program reads {}",
                                                    name, version, kPlanVersion));
  }
  const std::uint64_t recipe = reader.whole_number("recipe");
  if (recipe != kRecipeVersion) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: made with recipe {}, but this program uses recipe {}", name,
                            recipe, kRecipeVersion),
                "signatures of different recipes cannot be compared; recreate the plan");
  }
}

void refuse_unknown_fields(const JsonValue& object, const PlanForm& form,
                           const FieldReader& reader) {
  for (const auto& [field, value] : object.members()) {
    if (!form.has(field) && field != kForecast) reader.fail(field, "unknown");
  }
}

// Fields of vectors and bit strings.
HashedPlan read_hashed(const FieldReader& reader, const PlanForm& form) {
  constexpr int kMostSketchBits = 1024;
  constexpr double kMostProbedVertices = 32;
  HashedPlan hashed;
  hashed.family = reader.text("family");
  hashed.is_similarity = form.has("threshold");
  hashed.bands = reader.whole_number("bands", 1, kMostFunctions);
  hashed.rows = reader.whole_number("rows", 1, kMostBandRows);
  if (hashed.bands > kMostFunctions / hashed.rows) {
    reader.fail("rows", fmt::format("{} bands of {} rows are more than {} functions", hashed.bands,
                                    hashed.rows, kMostFunctions));
  }
  if (form.has("bits")) {
    hashed.bits = reader.whole_number("bits");
    if (hashed.bits == 0 || hashed.bits > kMostBits) {
      reader.fail("bits", fmt::format("{} is not in 1 to {}", hashed.bits, kMostBits));
    }
    return hashed;
  }
  hashed.segment = reader.number("segment", 0, std::numeric_limits<double>::max());
  hashed.probes = reader.number("probes", 1, kMostProbedVertices);
  hashed.sketch_bits = reader.whole_number("sketch_bits", 0, kMostSketchBits);
  hashed.most_different = reader.whole_number("most_different", 0, hashed.sketch_bits);
  return hashed;
}

BandingPlan read_banding(const FieldReader& reader) {
  BandingPlan banding;
  banding.components = reader.whole_number("components", kMinComponents, kMaxComponents);
  if ((banding.components & (banding.components - 1)) != 0) {
    reader.fail("components", fmt::format("{} is not a power of two", banding.components));
  }
  banding.bands = reader.whole_number("bands", 1, banding.components);
  banding.rows = reader.whole_number("rows", 1, banding.components);
  if (banding.bands * banding.rows > banding.components) {
    reader.fail("rows", fmt::format("{} bands of {} rows are more than {} components",
                                    banding.bands, banding.rows, banding.components));
  }
  banding.filter_agreements = reader.whole_number("filter_agreements", 0, banding.components);
  return banding;
}

// Six digits, so that every machine writes the same text.
double rounded(double value) { return std::stod(fmt::format("{:.6g}", value)); }

void add_forecast(const PlanForecast& forecast, JsonWriter& json) {
  json.begin_object(kForecast);
  json.members({{"half_point", rounded(forecast.half_point)},
                {"approximate_half_point", rounded(forecast.approximate_half_point)},
                {"error_area", rounded(forecast.error_area)}});
  json.object("least_error_area", {{"bands", forecast.least_errors.bands},
                                   {"rows", forecast.least_errors.rows},
                                   {"area", rounded(forecast.least_errors.area)}});
  if (forecast.brute_pairs > 0) {
    const bool is_counted = forecast.brute_pairs < kMostCounted;
    json.members(
        {{"brute_pairs", is_counted ? JsonScalar(static_cast<std::uint64_t>(forecast.brute_pairs))
                                    : JsonScalar(forecast.brute_pairs)},
         {"brute_seconds", rounded(forecast.brute_seconds)}});
  }
  json.end_object();
}

void add_hashed(const SavedPlan& plan, const HashedPlan& hashed, JsonWriter& json) {
  json.members({{"family", hashed.family},
                {hashed.is_similarity ? "threshold" : "within", bound_text(plan.threshold)},
                {"recall", plan.recall},
                {"seed", plan.seed},
                {"bands", hashed.bands},
                {"rows", hashed.rows}});
  if (hashed.bits > 0) {
    json.member("bits", hashed.bits);
    return;
  }
  json.members({{"segment", hashed.segment},
                {"probes", hashed.probes},
                {"sketch_bits", hashed.sketch_bits},
                {"most_different", hashed.most_different}});
}

void add_banding(const SavedPlan& plan, JsonWriter& json) {
  json.members({{"shingle", plan.shingle},
                {"tokens", plan.tokens},
                {"sketch", plan.sketch},
                {"threshold", bound_text(plan.threshold)},
                {"recall", plan.recall},
                {"seed", plan.seed},
                {"components", plan.banding.components},
                {"bands", plan.banding.bands},
                {"rows", plan.banding.rows},
                {"filter_agreements", plan.banding.filter_agreements}});
}

}  // namespace

std::string bound_text(const Bound& bound) {
  return bound.is_whole ? fmt::format("{}/{}", bound.num, bound.den)
                        : fmt::format("{}", bound.number);
}

std::string plan_to_json(const SavedPlan& plan, const PlanForecast* forecast) {
  JsonWriter json(2);
  json.begin_object();
  json.members({{"sosie_plan", kPlanVersion},
                {"recipe", plan.recipe},
                {"measure", plan.measure},
                {"kind", kind_name(plan.kind)}});
  if (plan.hashed) {
    add_hashed(plan, *plan.hashed, json);
  } else {
    add_banding(plan, json);
  }
  if (forecast != nullptr) add_forecast(*forecast, json);
  json.end_object();
  return json.text() + "\n";
}

SavedPlan plan_from_json(std::string_view json, const std::string& name) {
  const JsonValue object = parse_object(json, name);
  const FieldReader reader(object, name);
  check_version(reader, name);
  SavedPlan plan;
  if (reader.has("kind")) plan.kind = kind_called(reader.text("kind"));
  const PlanForm form = form_of(plan.kind, reader.has("within") ? "within" : "threshold");
  refuse_unknown_fields(object, form, reader);
  plan.measure = reader.text("measure");
  const std::string kind = reader.text("kind");
  if (plan.kind == KindBit{}) reader.fail("kind", fmt::format("'{}' is not a kind", kind));
  if (form.has("shingle")) {
    plan.shingle = reader.text("shingle");
    plan.tokens = reader.text("tokens");
    plan.sketch = reader.text("sketch");
  }
  plan.threshold = form.has("within") ? reader.distance("within") : reader.share("threshold");
  plan.recall = reader.text("recall");
  if (const Bound recall = reader.share("recall"); recall.num == recall.den) {
    reader.fail("recall", "must be below 1");
  }
  plan.seed = reader.whole_number("seed");
  if (form.has("family")) {
    plan.hashed = read_hashed(reader, form);
  } else {
    plan.banding = read_banding(reader);
  }
  return plan;
}

SavedPlan load_plan(const std::string& path, const std::atomic<bool>* cancel) {
  const File file(path);
  const std::string json = read_text(file.descriptor(), path, kMaxFileBytes + 1, cancel);
  if (json.size() > kMaxFileBytes) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: larger than {} bytes, so not a plan", path, kMaxFileBytes));
  }
  return plan_from_json(json, path);
}

}  // namespace sosie
