// Writes the weights of `sosie link` as JSON and reads them back, checked.
#include "store/saved_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/json_writer.h"
#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr int kModelVersion = 2;
constexpr int kMostDepth = 6;
constexpr const char* kSeveral = "several_partners";
constexpr const char* kLeft = "left";
constexpr const char* kRight = "right";
constexpr const char* kEndless = "endless_families";

using Json = nlohmann::json;

void add_levels(const FieldComparison& comparison, const MatchModel& model, std::size_t field,
                JsonWriter& json) {
  json.begin_array("levels");
  for (std::uint32_t level = 1; level < comparison.levels(); ++level) {
    json.begin_object();
    json.member("level", level_name(comparison, level));
    json.begin_array("shares");
    for (const PairClass& of : model.classes()) json.value(of.levels[field][level]);
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void add_frequency(const FieldWeights& weights, const RecordColumn& column, JsonWriter& json) {
  std::uint64_t records = 0;
  for (std::uint32_t value = 1; value < column.distinct(); ++value) records += column.counts[value];
  json.begin_object("frequency");
  json.members({{"chance", weights.chance}, {"records", records}});
  json.begin_object("counts");
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    json.member(column.text(value), column.counts[value]);
  }
  json.end_object();
  json.end_object();
}

void add_together(const LinkRules& rules, const MatchModel& model, JsonWriter& json) {
  const std::vector<std::uint32_t> compared = rules.compared();
  json.begin_array("together");
  for (std::size_t g = 0; g < model.together().size(); ++g) {
    const FieldPair& pair = model.together()[g];
    json.begin_object();
    json.list("fields", std::array<std::string_view, 2>{rules.fields[compared[pair.first]].name,
                                                        rules.fields[compared[pair.second]].name});
    json.begin_array("shares");
    for (const PairClass& of : model.classes()) {
      json.begin_array();
      for (const double share : of.joint[g]) json.value(share);
      json.end_array();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

// Reads members of a model, and names the file and the place of what is wrong.
class ModelReader {
 public:
  explicit ModelReader(const std::string& name) : name_(name) {}

  [[noreturn]] void fail(const std::string& place, std::string_view problem) const {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: {}: {}", name_, place, problem),
                "a model is written by --model, by a run with the same fields");
  }

  void check_keys(const Json& object, const std::string& place,
                  std::span<const std::string_view> known) const {
    if (!object.is_object()) fail(place, "is not an object");
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(place, fmt::format("unknown member '{}'", key));
      }
    }
  }

  [[nodiscard]] const Json& at(const Json& object, const char* key,
                               const std::string& place) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(place, fmt::format("'{}' is missing", key));
    return *found;
  }

  [[nodiscard]] const Json& list(const Json& object, const char* key, const std::string& place,
                                 std::size_t size) const {
    const Json& found = at(object, key, place);
    if (!found.is_array()) fail(place, fmt::format("'{}' is not a list", key));
    if (found.size() != size) {
      fail(place, fmt::format("'{}' has {} members, the rules have {}", key, found.size(), size));
    }
    return found;
  }

  // A share: above 0 and at most 1.
  [[nodiscard]] double share(const Json& value, const std::string& place) const {
    if (!value.is_number()) fail(place, "is not a number");
    const auto number = value.get<double>();
    if (!(number > 0 && number <= 1)) fail(place, "is not above 0 and at most 1");
    return number;
  }

  [[nodiscard]] std::uint64_t count(const Json& value, const std::string& place) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0) {
      fail(place, "is not a whole number above 0");
    }
    return value.get<std::uint64_t>();
  }

  void require_text(const Json& value, const std::string& wanted, const std::string& place) const {
    if (value.is_string() && value.get_ref<const std::string&>() == wanted) return;
    fail(place, fmt::format("is not '{}', as the rules have it", wanted));
  }

 private:
  const std::string& name_;
};

std::vector<double> read_shares(const ModelReader& in, const Json& object, const char* key,
                                const std::string& place, std::size_t size) {
  const Json& list = in.list(object, key, place, size);
  std::vector<double> shares;
  shares.reserve(size);
  for (const Json& value : list) {
    shares.push_back(in.share(value, fmt::format("{}.{}[{}]", place, key, shares.size())));
  }
  return shares;
}

// Classes of pairs, without their levels.
std::vector<PairClass> read_classes(const ModelReader& in, const Json& root) {
  constexpr std::array<std::string_view, 2> kKeys = {"match", "share"};
  const Json& list = in.at(root, "classes", "the model");
  if (!list.is_array() || list.size() < 2 || list.size() > kMostClasses) {
    in.fail("classes", fmt::format("is not a list of 2 to {}", kMostClasses));
  }
  std::vector<PairClass> classes;
  std::size_t matches = 0;
  for (const Json& entry : list) {
    const std::string place = fmt::format("classes[{}]", classes.size());
    in.check_keys(entry, place, kKeys);
    PairClass& of = classes.emplace_back();
    const Json& match = in.at(entry, "match", place);
    if (!match.is_boolean()) in.fail(place + ".match", "is neither true nor false");
    of.is_match = match.get<bool>();
    of.share = in.share(in.at(entry, "share", place), place + ".share");
    matches += of.is_match ? 1 : 0;
  }
  if (matches == 0 || matches == classes.size()) {
    in.fail("classes", "are not matches and others");
  }
  return classes;
}

// Adds the levels of a field to each class.
void read_levels(const ModelReader& in, const Json& object, const LinkField& field,
                 const std::string& place, std::vector<PairClass>& classes) {
  constexpr std::array<std::string_view, 2> kKeys = {"level", "shares"};
  const FieldComparison& comparison = field.comparison;
  const Json& levels = in.list(object, "levels", place, comparison.levels() - 1);
  for (PairClass& of : classes) of.levels.emplace_back(1, 1.0);
  for (std::uint32_t level = 1; level < comparison.levels(); ++level) {
    const Json& entry = levels[level - 1];
    const std::string at = fmt::format("{}.levels[{}]", place, level - 1);
    in.check_keys(entry, at, kKeys);
    in.require_text(in.at(entry, "level", at), level_name(comparison, level), at + ".level");
    const std::vector<double> shares = read_shares(in, entry, "shares", at, classes.size());
    for (std::size_t k = 0; k < classes.size(); ++k) classes[k].levels.back().push_back(shares[k]);
  }
}

// Shares of the values of a column, by value; none where the model has no counts.
std::vector<double> read_frequency(const ModelReader& in, const Json& object,
                                   const RecordColumn& column, const std::string& place) {
  constexpr std::array<std::string_view, 3> kKeys = {"chance", "records", "counts"};
  in.check_keys(object, place, kKeys);
  if (!object.contains("records") && !object.contains("counts")) return {};
  const std::uint64_t records = in.count(in.at(object, "records", place), place + ".records");
  const Json& counts = in.at(object, "counts", place);
  if (!counts.is_object()) in.fail(place + ".counts", "is not an object");
  for (const auto& [value, count] : counts.items()) {
    const std::string at = fmt::format("{}.counts.{}", place, value);
    if (in.count(count, at) > records) in.fail(at, "is more than all records");
  }
  std::vector<double> shares(column.distinct(), 1);
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const auto found = counts.find(std::string(column.text(value)));
    const std::uint64_t count = found == counts.end() ? 1 : found->get<std::uint64_t>();
    shares[value] = static_cast<double>(count) / static_cast<double>(records);
  }
  return shares;
}

// Parts of a model that are read so far.
struct ModelParts {
  std::vector<PairClass> classes;
  std::vector<FieldPair> together;
  std::vector<double> chances;
  std::vector<std::vector<double>> shares;
};

void read_field(const ModelReader& in, const Json& object, const LinkField& field,
                const RecordColumn& column, ModelParts& parts) {
  constexpr std::array<std::string_view, 3> kKeys = {"name", "levels", "frequency"};
  const std::string place = fmt::format("fields[{}]", parts.shares.size());
  in.check_keys(object, place, kKeys);
  in.require_text(in.at(object, "name", place), field.name, place + ".name");
  read_levels(in, object, field, place, parts.classes);
  parts.shares.emplace_back();
  parts.chances.push_back(0);
  if (object.contains("frequency") != field.frequency) {
    in.fail(place, field.frequency ? "has no frequencies, and the rules ask for them"
                                   : "has frequencies, and the rules do not ask for them");
  }
  if (!field.frequency) return;
  const Json& frequency = in.at(object, "frequency", place);
  parts.shares.back() = read_frequency(in, frequency, column, place + ".frequency");
  parts.chances.back() = in.share(in.at(frequency, "chance", place), place + ".frequency.chance");
}

void read_together(const ModelReader& in, const Json& root, const LinkRules& rules,
                   ModelParts& parts) {
  constexpr std::array<std::string_view, 2> kKeys = {"fields", "shares"};
  const std::vector<std::uint32_t> compared = rules.compared();
  const Json& list = in.list(root, "together", "the model", rules.together.size());
  for (std::size_t g = 0; g < list.size(); ++g) {
    const std::string place = fmt::format("together[{}]", g);
    in.check_keys(list[g], place, kKeys);
    const Json& names = in.list(list[g], "fields", place, 2);
    std::array<std::size_t, 2> positions{};
    for (std::size_t i = 0; i < 2; ++i) {
      positions[i] = static_cast<std::size_t>(
          std::find(compared.begin(), compared.end(), rules.together[g][i]) - compared.begin());
    }
    std::sort(positions.begin(), positions.end());
    for (std::size_t i = 0; i < 2; ++i) {
      in.require_text(names[i], rules.fields[compared[positions[i]]].name, place + ".fields");
    }
    parts.together.push_back({positions[0], positions[1]});
    const std::size_t size =
        parts.classes[0].levels[positions[0]].size() * parts.classes[0].levels[positions[1]].size();
    const Json& shares = in.list(list[g], "shares", place, parts.classes.size());
    for (std::size_t k = 0; k < parts.classes.size(); ++k) {
      const Json of_class = {{"shares", shares[k]}};
      parts.classes[k].joint.push_back(read_shares(in, of_class, "shares", place, size));
    }
  }
}

FitDecisions read_decisions(const ModelReader& in, const Json& root) {
  FitDecisions decisions;
  if (const auto several = root.find(kSeveral); several != root.end()) {
    if (*several != kLeft && *several != kRight) {
      in.fail(kSeveral, fmt::format("is neither '{}' nor '{}'", kLeft, kRight));
    }
    decisions.one_partner = {*several != kLeft, *several != kRight};
  }
  if (const auto endless = root.find(kEndless); endless != root.end()) {
    if (!endless->is_boolean()) in.fail(kEndless, "is neither true nor false");
    decisions.has_endless_families = endless->get<bool>();
  }
  return decisions;
}

// Parses JSON that is not nested deeper than a model is.
Json parsed(std::string_view text, const std::string& name) {
  const auto check = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    if (depth <= kMostDepth) return true;
    throw Error(ErrorKind::malformed_input, fmt::format("{}: nested too deeply", name));
  };
  try {
    return Json::parse(text, check);
  } catch (const Json::exception& error) {
    const auto* at = dynamic_cast<const Json::parse_error*>(&error);
    throw Error(ErrorKind::malformed_input,
                at == nullptr ? fmt::format("{}: not JSON", name)
                              : fmt::format("{}: not JSON at byte {}", name, at->byte));
  }
}

}  // namespace

std::string model_to_json(const LinkRules& rules, const MatchModel& model, const RecordTable& table,
                          const FitDecisions& decisions) {
  JsonWriter json(1);
  json.begin_object();
  json.member("sosie_model", kModelVersion);
  json.begin_array("classes");
  for (const PairClass& of : model.classes()) {
    json.object({{"match", of.is_match}, {"share", of.share}});
  }
  json.end_array();
  json.begin_array("fields");
  const std::vector<std::uint32_t> compared = rules.compared();
  for (std::size_t f = 0; f < compared.size(); ++f) {
    const LinkField& field = rules.fields[compared[f]];
    json.begin_object();
    json.member("name", field.name);
    add_levels(field.comparison, model, f, json);
    if (field.frequency) add_frequency(model.fields()[f], table.columns[compared[f]], json);
    json.end_object();
  }
  json.end_array();
  add_together(rules, model, json);
  const Competition one_partner = decisions.one_partner;
  if (!one_partner.left || !one_partner.right) {
    json.member(kSeveral, one_partner.left ? kRight : kLeft);
  }
  if (decisions.has_endless_families) json.member(kEndless, true);
  json.end_object();
  return json.text() + "\n";
}

SavedModel model_from_json(std::string_view text, const std::string& name, const LinkRules& rules,
                           const RecordTable& table) {
  constexpr std::array<std::string_view, 6> kKeys = {"sosie_model", "classes", "fields",
                                                     "together",    kSeveral,  kEndless};
  const Json root = parsed(text, name);
  const ModelReader in(name);
  if (in.at(root, "sosie_model", "the model") != kModelVersion) {
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: is no model of version {}", name, kModelVersion),
                "learn it again: --model writes it");
  }
  in.check_keys(root, "the model", kKeys);
  ModelParts parts;
  parts.classes = read_classes(in, root);
  const std::vector<std::uint32_t> compared = rules.compared();
  const Json& fields = in.list(root, "fields", "the model", compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    read_field(in, fields[f], rules.fields[compared[f]], table.columns[compared[f]], parts);
  }
  read_together(in, root, rules, parts);
  return {MatchModel(std::move(parts.classes), std::move(parts.together), parts.chances),
          std::move(parts.shares), read_decisions(in, root)};
}

SavedModel load_model(const std::string& path, const LinkRules& rules, const RecordTable& table,
                      const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
  const File file(path);
  const std::string text = read_text(file.descriptor(), path, kMostBytes + 1, cancel);
  if (text.size() > kMostBytes) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "too long for a model",
                "a model has 256 MiB at most");
  }
  return model_from_json(text, path, rules, table);
}

}  // namespace sosie
