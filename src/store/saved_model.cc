// Writes the weights of `sosie link` as JSON, reads them back and checks them.
#include "store/saved_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/json_value.h"
#include "core/json_writer.h"
#include "io/file.h"
#include "options/read_link_rules.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr int kModelVersion = 2;
constexpr const char* kRules = "rules";
constexpr const char* kNicknames = "nicknames";
constexpr const char* kSeveral = "several_partners";
constexpr const char* kLeft = "left";
constexpr const char* kRight = "right";
constexpr const char* kEndless = "endless_families";
constexpr const char* kOdds = "odds";
constexpr const char* kShift = "shift";
constexpr const char* kSlope = "slope";

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

void add_nicknames(const LinkRules& rules, JsonWriter& json) {
  const auto has_some = [](const LinkField& field) { return !field.nickname_rows.empty(); };
  if (std::none_of(rules.fields.begin(), rules.fields.end(), has_some)) return;
  json.begin_object(kNicknames);
  for (const LinkField& field : rules.fields) {
    if (!has_some(field)) continue;
    json.begin_array(field.name);
    for (const std::vector<std::string>& row : field.nickname_rows) {
      json.begin_array();
      for (const std::string& name : row) json.value(name);
      json.end_array();
    }
    json.end_array();
  }
  json.end_object();
}

// Reads members of a model; errors name the file and the place.
class ModelReader {
 public:
  explicit ModelReader(const std::string& name) : name_(name) {}

  [[noreturn]] void fail(const std::string& place, std::string_view problem) const {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: {}: {}", name_, place, problem),
                "create the model with --model, in a run with the same fields");
  }

  void check_keys(const JsonValue& object, const std::string& place,
                  std::span<const std::string_view> known) const {
    if (!object.is_object()) fail(place, "is not an object");
    for (const auto& [key, value] : object.members()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(place, fmt::format("unknown member '{}'", key));
      }
    }
  }

  [[nodiscard]] const JsonValue& at(const JsonValue& object, const char* key,
                                    const std::string& place) const {
    const JsonValue* found = object.find(key);
    if (found == nullptr) fail(place, fmt::format("'{}' is missing", key));
    return *found;
  }

  [[nodiscard]] const JsonValue::List& list(const JsonValue& object, const char* key,
                                            const std::string& place, std::size_t size) const {
    return list(at(object, key, place), fmt::format("{}: '{}'", place, key), size);
  }

  [[nodiscard]] const JsonValue::List& list(const JsonValue& value, const std::string& place,
                                            std::size_t size) const {
    if (!value.is_list()) fail(place, "is not a list");
    const JsonValue::List& list = value.list();
    if (list.size() == size) return list;
    fail(place, fmt::format("has {} members, but the rules have {}", list.size(), size));
  }

  // A share: above 0 and at most 1.
  [[nodiscard]] double share(const JsonValue& value, const std::string& place) const {
    if (!value.is_number()) fail(place, "is not a number");
    const double number = value.number();
    if (!(number > 0 && number <= 1)) fail(place, "is not above 0 and at most 1");
    return number;
  }

  [[nodiscard]] std::uint64_t count(const JsonValue& value, const std::string& place) const {
    if (!value.is_natural() || value.natural() == 0) fail(place, "is not a whole number above 0");
    return value.natural();
  }

  void require_text(const JsonValue& value, const std::string& wanted,
                    const std::string& place) const {
    if (value.is(wanted)) return;
    fail(place, fmt::format("is not '{}', as in the rules", wanted));
  }

 private:
  const std::string& name_;
};

std::vector<double> read_shares(const ModelReader& in, const JsonValue& value,
                                const std::string& place, std::size_t size) {
  std::vector<double> shares;
  shares.reserve(size);
  for (const JsonValue& share : in.list(value, place, size)) {
    shares.push_back(in.share(share, fmt::format("{}[{}]", place, shares.size())));
  }
  return shares;
}

// Classes of pairs, without their levels.
std::vector<PairClass> read_classes(const ModelReader& in, const JsonValue& root) {
  constexpr std::array<std::string_view, 2> kKeys = {"match", "share"};
  const JsonValue& list = in.at(root, "classes", "the model");
  if (!list.is_list() || list.list().size() < 2 || list.list().size() > kMostClasses) {
    in.fail("classes", fmt::format("is not a list of 2 to {}", kMostClasses));
  }
  std::vector<PairClass> classes;
  std::size_t matches = 0;
  for (const JsonValue& entry : list.list()) {
    const std::string place = fmt::format("classes[{}]", classes.size());
    in.check_keys(entry, place, kKeys);
    PairClass& of = classes.emplace_back();
    const JsonValue& match = in.at(entry, "match", place);
    if (!match.is_boolean()) in.fail(place + ".match", "is neither true nor false");
    of.is_match = match.boolean();
    of.share = in.share(in.at(entry, "share", place), place + ".share");
    matches += of.is_match ? 1 : 0;
  }
  if (matches == 0 || matches == classes.size()) {
    in.fail("classes", "must include both matches and non-matches");
  }
  return classes;
}

// Adds the levels of a field to each class.
void read_levels(const ModelReader& in, const JsonValue& object, const LinkField& field,
                 const std::string& place, std::vector<PairClass>& classes) {
  constexpr std::array<std::string_view, 2> kKeys = {"level", "shares"};
  const FieldComparison& comparison = field.comparison;
  const JsonValue::List& levels = in.list(object, "levels", place, comparison.levels() - 1);
  for (PairClass& of : classes) of.levels.emplace_back(1, 1.0);
  for (std::uint32_t level = 1; level < comparison.levels(); ++level) {
    const JsonValue& entry = levels[level - 1];
    const std::string at = fmt::format("{}.levels[{}]", place, level - 1);
    in.check_keys(entry, at, kKeys);
    in.require_text(in.at(entry, "level", at), level_name(comparison, level), at + ".level");
    const std::vector<double> shares =
        read_shares(in, in.at(entry, "shares", at), at + ".shares", classes.size());
    for (std::size_t k = 0; k < classes.size(); ++k) classes[k].levels.back().push_back(shares[k]);
  }
}

// Shares of the values of a column, by value; empty if the model has no frequencies.
std::vector<double> read_frequency(const ModelReader& in, const JsonValue& object,
                                   const RecordColumn& column, const std::string& place) {
  constexpr std::array<std::string_view, 3> kKeys = {"chance", "records", "counts"};
  in.check_keys(object, place, kKeys);
  if (object.find("records") == nullptr && object.find("counts") == nullptr) return {};
  const std::uint64_t records = in.count(in.at(object, "records", place), place + ".records");
  const JsonValue& counts = in.at(object, "counts", place);
  if (!counts.is_object()) in.fail(place + ".counts", "is not an object");
  std::unordered_map<std::string_view, std::uint64_t> count_of;
  for (const auto& [value, count] : counts.members()) {
    const std::string at = fmt::format("{}.counts.{}", place, value);
    count_of[value] = in.count(count, at);
    if (count_of[value] > records) in.fail(at, "is more than all records");
  }
  std::vector<double> shares(column.distinct(), 1);
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    const auto found = count_of.find(column.text(value));
    const std::uint64_t count = found == count_of.end() ? 1 : found->second;
    shares[value] = static_cast<double>(count) / static_cast<double>(records);
  }
  return shares;
}

// The parts of a model read so far.
struct ModelParts {
  std::vector<PairClass> classes;
  std::vector<FieldPair> together;
  std::vector<double> chances;
  std::vector<std::vector<double>> shares;
};

void read_field(const ModelReader& in, const JsonValue& object, const LinkField& field,
                const RecordColumn& column, ModelParts& parts) {
  constexpr std::array<std::string_view, 3> kKeys = {"name", "levels", "frequency"};
  const std::string place = fmt::format("fields[{}]", parts.shares.size());
  in.check_keys(object, place, kKeys);
  in.require_text(in.at(object, "name", place), field.name, place + ".name");
  read_levels(in, object, field, place, parts.classes);
  parts.shares.emplace_back();
  parts.chances.push_back(0);
  if ((object.find("frequency") != nullptr) != field.frequency) {
    in.fail(place, field.frequency ? "has no frequencies, but the rules ask for them"
                                   : "has frequencies, but the rules do not ask for them");
  }
  if (!field.frequency) return;
  const JsonValue& frequency = in.at(object, "frequency", place);
  parts.shares.back() = read_frequency(in, frequency, column, place + ".frequency");
  parts.chances.back() = in.share(in.at(frequency, "chance", place), place + ".frequency.chance");
}

void read_together(const ModelReader& in, const JsonValue& root, const LinkRules& rules,
                   ModelParts& parts) {
  constexpr std::array<std::string_view, 2> kKeys = {"fields", "shares"};
  const std::vector<std::uint32_t> compared = rules.compared();
  const JsonValue::List& list = in.list(root, "together", "the model", rules.together.size());
  for (std::size_t g = 0; g < list.size(); ++g) {
    const std::string place = fmt::format("together[{}]", g);
    in.check_keys(list[g], place, kKeys);
    const JsonValue::List& names = in.list(list[g], "fields", place, 2);
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
    const JsonValue::List& shares = in.list(list[g], "shares", place, parts.classes.size());
    for (std::size_t k = 0; k < parts.classes.size(); ++k) {
      parts.classes[k].joint.push_back(read_shares(in, shares[k], place + ".shares", size));
    }
  }
}

FitDecisions read_decisions(const ModelReader& in, const JsonValue& root) {
  FitDecisions decisions;
  if (const JsonValue* several = root.find(kSeveral)) {
    if (!several->is(kLeft) && !several->is(kRight)) {
      in.fail(kSeveral, fmt::format("is neither '{}' nor '{}'", kLeft, kRight));
    }
    decisions.one_partner = {!several->is(kLeft), !several->is(kRight)};
  }
  if (const JsonValue* endless = root.find(kEndless)) {
    if (!endless->is_boolean()) in.fail(kEndless, "is neither true nor false");
    decisions.has_endless_families = endless->boolean();
  }
  return decisions;
}

// Scale of the odds that was learned from labels.
OddsScale read_odds(const ModelReader& in, const JsonValue& root) {
  constexpr std::array<std::string_view, 2> kKeys = {kShift, kSlope};
  constexpr double kMostShift = 1000;
  const JsonValue* odds = root.find(kOdds);
  if (odds == nullptr) return {};
  in.check_keys(*odds, kOdds, kKeys);
  const JsonValue& shift = in.at(*odds, kShift, kOdds);
  const JsonValue& slope = in.at(*odds, kSlope, kOdds);
  if (!shift.is_number() || !(std::abs(shift.number()) <= kMostShift)) {
    in.fail(kOdds, fmt::format("shift is not a number of at most {} bits", kMostShift));
  }
  if (!slope.is_number() || !(slope.number() > 0) || slope.number() > kMostShift) {
    in.fail(kOdds, "slope is not a number above 0");
  }
  return {shift.number(), slope.number()};
}

JsonValue parsed(std::string_view text, const std::string& name) {
  JsonFault fault;
  std::optional<JsonValue> root = parse_json(text, &fault);
  if (root) return std::move(*root);
  if (fault.kind == JsonFault::Kind::deep) {
    throw Error(ErrorKind::malformed_input, fmt::format("{}: nested too deeply", name));
  }
  throw Error(ErrorKind::malformed_input, fmt::format("{}: not JSON at byte {}", name, fault.byte));
}

std::string text_of_model(const std::string& path, const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;
  const File file(path);
  std::string text = read_text(file.descriptor(), path, kMostBytes + 1, cancel);
  if (text.size() > kMostBytes) {
    throw Error(ErrorKind::malformed_input, BadPlace{path}, "too long for a model",
                "a model has 256 MiB at most");
  }
  return text;
}

// Throws unless the file is a model of this version.
void check_version(const ModelReader& in, const JsonValue& root, const std::string& name) {
  const JsonValue& version = in.at(root, "sosie_model", "the model");
  if (version.is_natural() && version.natural() == kModelVersion) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("{}: is not a model of version {}", name, kModelVersion),
              "run again with --model to write a new one");
}

std::vector<std::vector<std::string>> read_nicknames(const ModelReader& in,
                                                     const JsonValue& nicknames,
                                                     const std::string& field) {
  const std::string place = fmt::format("{}: '{}'", kNicknames, field);
  const auto refuse = [&] { in.fail(place, "is not a list of rows of names"); };
  const JsonValue& rows = in.at(nicknames, field.c_str(), kNicknames);
  if (!rows.is_list() || rows.list().empty()) refuse();
  std::vector<std::vector<std::string>> found;
  for (const JsonValue& row : rows.list()) {
    if (!row.is_list()) refuse();
    std::vector<std::string>& names = found.emplace_back();
    for (const JsonValue& name : row.list()) {
      if (!name.is_text()) refuse();
      names.push_back(name.text());
    }
  }
  return found;
}

}  // namespace

std::string model_to_json(const LinkRules& rules, const MatchModel& model, const RecordTable& table,
                          const FitDecisions& decisions) {
  JsonWriter json(1);
  json.begin_object();
  json.member("sosie_model", kModelVersion);
  LinkRules without_model = rules;
  without_model.model.clear();
  json.member(kRules, link_rules_text(without_model, {}));
  add_nicknames(rules, json);
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
  if (model.scale() != OddsScale{}) {
    json.object(kOdds, {{kShift, model.scale().shift}, {kSlope, model.scale().slope}});
  }
  json.end_object();
  return json.text() + "\n";
}

SavedModel model_from_json(std::string_view text, const std::string& name, const LinkRules& rules,
                           const RecordTable& table) {
  constexpr std::array<std::string_view, 9> kKeys = {"sosie_model", kRules,   kNicknames,
                                                     "classes",     "fields", "together",
                                                     kSeveral,      kEndless, kOdds};
  const JsonValue root = parsed(text, name);
  const ModelReader in(name);
  check_version(in, root, name);
  in.check_keys(root, "the model", kKeys);
  ModelParts parts;
  parts.classes = read_classes(in, root);
  const std::vector<std::uint32_t> compared = rules.compared();
  const JsonValue::List& fields = in.list(root, "fields", "the model", compared.size());
  for (std::size_t f = 0; f < compared.size(); ++f) {
    read_field(in, fields[f], rules.fields[compared[f]], table.columns[compared[f]], parts);
  }
  read_together(in, root, rules, parts);
  return {MatchModel(std::move(parts.classes), std::move(parts.together), parts.chances)
              .scaled(read_odds(in, root)),
          std::move(parts.shares), read_decisions(in, root)};
}

SavedModel load_model(const std::string& path, const LinkRules& rules, const RecordTable& table,
                      const std::atomic<bool>* cancel) {
  return model_from_json(text_of_model(path, cancel), path, rules, table);
}

std::optional<LinkRules> rules_of_model(const std::string& path, const std::atomic<bool>* cancel) {
  const JsonValue root = parsed(text_of_model(path, cancel), path);
  const ModelReader in(path);
  check_version(in, root, path);
  const JsonValue* rules = root.find(kRules);
  if (rules == nullptr) return std::nullopt;
  if (!rules->is_text()) in.fail(kRules, "is not a text");
  const JsonValue* nicknames = root.find(kNicknames);
  if (nicknames == nullptr) return read_link_rules_text(rules->text(), path, cancel);
  LinkRules found = parse_link_rules(rules->text(), path);
  for (LinkField& field : found.fields) {
    if (!field.nicknames.empty()) field.nickname_rows = read_nicknames(in, *nicknames, field.name);
  }
  return found;
}

}  // namespace sosie
