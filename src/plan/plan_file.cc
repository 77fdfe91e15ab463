// Writes plans as JSON and reads them back, checked.
#include "plan/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr int kPlanVersion = 1;
// A plan is a few hundred bytes; a file given by mistake must not be read whole.
constexpr std::uint64_t kMaxFileBytes = 1U << 16;

constexpr std::array<std::string_view, 14> kFields{
    "sosie_plan", "recipe", "measure", "kind",       "shingle", "tokens", "sketch",
    "threshold",  "recall", "seed",    "components", "bands",   "rows",   "filter_agreements"};

// Reads the fields of one object and names the file and the field that is wrong.
class FieldReader {
 public:
  FieldReader(const nlohmann::json& object, const std::string& name)
      : object_(object), name_(name) {}

  [[noreturn]] void fail(std::string_view field, std::string_view problem) const {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: field '{}': {}", name_, field, problem));
  }

  [[nodiscard]] const nlohmann::json& at(std::string_view field) const {
    const auto found = object_.find(field);
    if (found == object_.end()) fail(field, "missing");
    return *found;
  }

  [[nodiscard]] std::string text(std::string_view field) const {
    const nlohmann::json& value = at(field);
    if (!value.is_string()) fail(field, "must be a string");
    auto result = value.get<std::string>();
    if (result.empty()) fail(field, "is empty");
    return result;
  }

  [[nodiscard]] std::uint64_t whole_number(std::string_view field) const {
    const nlohmann::json& value = at(field);
    if (!value.is_number_unsigned()) fail(field, "must be a whole number that is not negative");
    return value.get<std::uint64_t>();
  }

  [[nodiscard]] int whole_number(std::string_view field, int least, int most) const {
    const std::uint64_t value = whole_number(field);
    if (value < static_cast<std::uint64_t>(least) || value > static_cast<std::uint64_t>(most)) {
      fail(field, fmt::format("{} is not in {} to {}", value, least, most));
    }
    return static_cast<int>(value);
  }

  // A rational in (0, 1], as a string: a JSON number would have been rounded to a double.
  [[nodiscard]] Rational share(std::string_view field) const {
    const std::string written = text(field);
    const auto value = parse_rational(written);
    if (!value || value->num == 0 || value->num > value->den) {
      fail(field, fmt::format(R"('{}' is not in (0, 1], such as "0.8" or "4/5")", written));
    }
    return *value;
  }

 private:
  const nlohmann::json& object_;
  const std::string& name_;
};

nlohmann::json parse_object(std::string_view json, const std::string& name) {
  nlohmann::json object;
  try {
    std::set<std::string> seen;
    object = nlohmann::json::parse(
        json, [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& key) {
          const bool is_field = depth == 1 && event == nlohmann::json::parse_event_t::key;
          if (is_field && !seen.insert(key.get<std::string>()).second) {
            throw Error(ErrorKind::malformed_input, fmt::format("{}: field '{}': is there twice",
                                                                name, key.get<std::string>()));
          }
          return true;
        });
  } catch (const nlohmann::json::parse_error& error) {
    const auto* const end =
        json.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, json.size()));
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}:{}: not valid JSON", name, 1 + std::count(json.begin(), end, '\n')),
                "a plan is what `sosie plan -o FILE` writes");
  } catch (const nlohmann::json::out_of_range&) {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: a number is too large", name),
                "a plan is what `sosie plan -o FILE` writes");
  }
  if (!object.is_object()) {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: not a JSON object", name),
                "a plan is what `sosie plan -o FILE` writes");
  }
  return object;
}

void check_version(const FieldReader& reader, const std::string& name) {
  const std::uint64_t version = reader.whole_number("sosie_plan");
  if (version != kPlanVersion) {
    throw Error(ErrorKind::unsupported, fmt::format("{}: plan format {}, this program reads {}",
                                                    name, version, kPlanVersion));
  }
  const std::uint64_t recipe = reader.whole_number("recipe");
  if (recipe != kRecipeVersion) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: made with recipe {}, this program follows recipe {}", name, recipe,
                            kRecipeVersion),
                "signatures of different recipes cannot be compared; make the plan again");
  }
}

void refuse_unknown_fields(const nlohmann::json& object, const FieldReader& reader) {
  for (const auto& item : object.items()) {
    if (std::find(kFields.begin(), kFields.end(), item.key()) == kFields.end()) {
      reader.fail(item.key(), "unknown");
    }
  }
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

}  // namespace

std::string plan_to_json(const SavedPlan& plan) {
  nlohmann::ordered_json object;
  object["sosie_plan"] = kPlanVersion;
  object["recipe"] = plan.recipe;
  object["measure"] = plan.measure;
  object["kind"] = plan.kind;
  object["shingle"] = plan.shingle;
  object["tokens"] = plan.tokens;
  object["sketch"] = plan.sketch;
  object["threshold"] = fmt::format("{}/{}", plan.threshold.num, plan.threshold.den);
  object["recall"] = plan.recall;
  object["seed"] = plan.seed;
  object["components"] = plan.banding.components;
  object["bands"] = plan.banding.bands;
  object["rows"] = plan.banding.rows;
  object["filter_agreements"] = plan.banding.filter_agreements;
  return object.dump(2) + "\n";
}

SavedPlan plan_from_json(std::string_view json, const std::string& name) {
  const nlohmann::json object = parse_object(json, name);
  const FieldReader reader(object, name);
  check_version(reader, name);
  refuse_unknown_fields(object, reader);
  SavedPlan plan;
  plan.measure = reader.text("measure");
  plan.kind = reader.text("kind");
  plan.shingle = reader.text("shingle");
  plan.tokens = reader.text("tokens");
  plan.sketch = reader.text("sketch");
  plan.threshold = reader.share("threshold");
  plan.recall = reader.text("recall");
  if (const Rational recall = reader.share("recall"); recall.num == recall.den) {
    reader.fail("recall", "must be below 1");
  }
  plan.seed = reader.whole_number("seed");
  plan.banding = read_banding(reader);
  return plan;
}

SavedPlan load_plan(const std::string& path, const std::atomic<bool>* cancel) {
  const File file(path);
  const std::string json = read_to_end(file.descriptor(), path, kMaxFileBytes + 1, cancel);
  if (json.size() > kMaxFileBytes) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: more than {} bytes are no plan", path, kMaxFileBytes));
  }
  return plan_from_json(json, path);
}

}  // namespace sosie
