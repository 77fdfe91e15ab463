// JSON Schema of files of rules, made from the tables of keys that the parser reads.
#include <nlohmann/json.hpp>

#include "options/link_rule_keys.h"
#include "sosie/link.h"

namespace sosie {
namespace {

using Json = nlohmann::ordered_json;

Json text_schema() { return {{"type", "string"}}; }

// A text, or a list of one or more.
Json texts_schema() {
  return {
      {"anyOf", {text_schema(), {{"type", "array"}, {"items", text_schema()}, {"minItems", 1}}}}};
}

Json number_schema(std::string_view type, const RuleRange& range) {
  Json schema = {{"type", type}};
  schema[range.is_open ? "exclusiveMinimum" : "minimum"] = range.least;
  schema[range.is_open ? "exclusiveMaximum" : "maximum"] = range.most;
  return schema;
}

Json checked_text(const RuleKey& key) {
  Json schema = text_schema();
  if (!key.pattern.empty()) schema["pattern"] = key.pattern;
  return schema;
}

// Names that stand alone, and those with parameters behind a colon.
Json choice_schema(const RuleKey& key) {
  const std::vector<std::string_view> names = key.names();
  Json schema = {{"enum", names}};
  if (key.check == nullptr) return schema;
  std::string pattern = "^(";
  for (const std::string_view name : names) {
    if (pattern.size() > 2) pattern += '|';
    pattern += name;
  }
  return {{"anyOf", {schema, {{"type", "string"}, {"pattern", pattern + "):[0-9./,eE+-]+$"}}}}};
}

Json value_schema(const RuleKey& key) {
  switch (key.type) {
    case RuleType::text:
      return checked_text(key);
    case RuleType::texts:
    case RuleType::fields:
      return texts_schema();
    case RuleType::choice:
      return choice_schema(key);
    case RuleType::flag:
      return {{"type", "boolean"}};
    case RuleType::count:
      return number_schema("integer", key.range);
    case RuleType::number:
      return number_schema("number", key.range);
    case RuleType::number_or_text:
      return {{"anyOf", {checked_text(key), number_schema("number", key.range)}}};
    case RuleType::numbers: {
      Json schema = {{"type", "array"}, {"items", number_schema("number", key.range)}};
      if (key.most_items > 0) schema["maxItems"] = key.most_items;
      return schema;
    }
  }
  return {};
}

Json table_schema() {
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

template <typename Target>
Json table_of(std::span<const RuleKeyOf<Target>> keys) {
  Json schema = table_schema();
  for (const RuleKeyOf<Target>& row : keys) {
    Json value = value_schema(row.key);
    value["description"] = row.key.help;
    schema["properties"][std::string(row.key.name)] = std::move(value);
    if (row.key.beside.empty()) continue;
    schema["dependentRequired"][std::string(row.key.name)] = {row.key.beside};
  }
  return schema;
}

Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", kMostListedRules}};
}

Json pair_rules(std::span<const RuleKeyOf<PairRule>> keys, std::string_view help) {
  Json rule = table_of(keys);
  rule["required"] = {keys.front().key.name};
  Json list = list_of(std::move(rule));
  list["description"] = help;
  return list;
}

Json candidates_schema() {
  Json rule = table_of(candidate_keys());
  for (const std::string_view kind : {"equal", "near", "sorted"}) {
    rule["oneOf"].push_back({{"required", {kind}}});
  }
  Json schema = table_of(candidates_keys());
  schema["properties"]["rules"] = list_of(std::move(rule));
  schema["properties"]["rules"]["minItems"] = 1;
  schema["required"] = {"rules"};
  return schema;
}

Json decide_schema() {
  Json schema = table_of(decide_keys());
  schema["properties"]["always"] =
      pair_rules(always_keys(), "pairs that are links whatever their score, unless never says not");
  schema["properties"]["never"] = pair_rules(never_keys(), "pairs that never are links");
  return schema;
}

// Lists of two fields, beside the keys of the table.
Json score_schema() {
  Json pair = {{"type", "array"}, {"items", text_schema()}, {"minItems", 2}, {"maxItems", 2}};
  Json schema = table_of(score_keys());
  schema["properties"]["together"] = {
      {"type", "array"},
      {"items", std::move(pair)},
      {"description", "pairs of fields that depend on each other, scored as one"}};
  return schema;
}

}  // namespace

std::string link_rules_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Rules of sosie link"},
                 {"description", "What the TOML file of --rules may hold."}};
  schema.update(table_schema());
  schema["properties"]["version"] = {{"const", 1}};
  schema["properties"]["fields"] = {
      {"type", "object"}, {"minProperties", 1}, {"additionalProperties", table_of(field_keys())}};
  schema["properties"]["candidates"] = candidates_schema();
  schema["properties"]["score"] = score_schema();
  schema["properties"]["decide"] = decide_schema();
  schema["required"] = {"version", "fields", "candidates"};
  return schema.dump(2) + "\n";
}

}  // namespace sosie
