// JSON Schema for rule files, generated from the key tables of the parser.
#include <algorithm>
#include <array>

#include "core/json_writer.h"
#include "options/rule_key.h"
#include "sosie/link.h"

namespace sosie {
namespace {

// Each function adds members to the current object.
void add_text(JsonWriter& json) { json.member("type", "string"); }

// A text, or a non-empty list of texts.
void add_texts(JsonWriter& json) {
  json.begin_array("anyOf");
  json.object({{"type", "string"}});
  json.begin_object();
  json.member("type", "array");
  json.object("items", {{"type", "string"}});
  json.member("minItems", 1);
  json.end_object();
  json.end_array();
}

void add_number(std::string_view type, const RuleRange& range, JsonWriter& json) {
  json.member("type", type);
  json.member(range.is_open ? "exclusiveMinimum" : "minimum", range.least);
  json.member(range.is_open ? "exclusiveMaximum" : "maximum", range.most);
}

void add_checked_text(const RuleKey& key, JsonWriter& json) {
  add_text(json);
  if (!key.pattern.empty()) json.member("pattern", key.pattern);
}

// Names without parameters, and names followed by a colon and parameters.
void add_choice(const RuleKey& key, JsonWriter& json) {
  const std::vector<std::string_view> names = key.names();
  if (key.check == nullptr) {
    json.list("enum", names);
    return;
  }
  std::string pattern = "^(";
  for (const std::string_view name : names) {
    if (pattern.size() > 2) pattern += '|';
    pattern += name;
  }
  json.begin_array("anyOf");
  json.begin_object();
  json.list("enum", names);
  json.end_object();
  json.object({{"type", "string"}, {"pattern", pattern + "):[0-9./,eE+-]+$"}});
  json.end_array();
}

void add_number_or_text(const RuleKey& key, JsonWriter& json) {
  json.begin_array("anyOf");
  json.begin_object();
  add_checked_text(key, json);
  json.end_object();
  json.begin_object();
  add_number("number", key.range, json);
  json.end_object();
  json.end_array();
}

void add_numbers(const RuleKey& key, JsonWriter& json) {
  json.member("type", "array");
  json.begin_object("items");
  add_number("number", key.range, json);
  json.end_object();
  if (key.most_items > 0) json.member("maxItems", key.most_items);
}

void add_value(const RuleKey& key, JsonWriter& json) {
  switch (key.type) {
    case RuleType::text:
      return add_checked_text(key, json);
    case RuleType::texts:
    case RuleType::fields:
      return add_texts(json);
    case RuleType::choice:
      return add_choice(key, json);
    case RuleType::flag:
      return json.member("type", "boolean");
    case RuleType::count:
      return add_number("integer", key.range, json);
    case RuleType::number:
      return add_number("number", key.range, json);
    case RuleType::number_or_text:
      return add_number_or_text(key, json);
    case RuleType::numbers:
      return add_numbers(key, json);
  }
}

// Opens a table and its `properties`, which the caller completes.
void begin_table(JsonWriter& json) {
  json.members({{"type", "object"}, {"additionalProperties", false}});
  json.begin_object("properties");
}

template <typename Target>
void begin_table(std::span<const RuleKeyOf<Target>> keys, JsonWriter& json) {
  begin_table(json);
  for (const RuleKeyOf<Target>& row : keys) {
    json.begin_object(row.key.name);
    add_value(row.key, json);
    json.member("description", row.key.help);
    json.end_object();
  }
}

template <typename Target>
void end_table(std::span<const RuleKeyOf<Target>> keys, JsonWriter& json) {
  json.end_object();
  const auto depends = [](const RuleKeyOf<Target>& row) { return !row.key.beside.empty(); };
  if (std::none_of(keys.begin(), keys.end(), depends)) return;
  json.begin_object("dependentRequired");
  for (const RuleKeyOf<Target>& row : keys) {
    if (depends(row)) json.list(row.key.name, std::array{row.key.beside});
  }
  json.end_object();
}

void add_pair_rules(std::string_view name, std::span<const RuleKeyOf<PairRule>> keys,
                    std::string_view help, JsonWriter& json) {
  json.begin_object(name);
  json.member("type", "array");
  json.begin_object("items");
  begin_table(keys, json);
  end_table(keys, json);
  json.list("required", std::array{keys.front().key.name});
  json.end_object();
  json.members({{"maxItems", kMostListedRules}, {"description", help}});
  json.end_object();
}

void add_candidate_rules(JsonWriter& json) {
  json.begin_object("rules");
  json.member("type", "array");
  json.begin_object("items");
  begin_table(candidate_keys(), json);
  end_table(candidate_keys(), json);
  json.begin_array("oneOf");
  for (const std::string_view kind : {"equal", "near", "sorted"}) {
    json.begin_object();
    json.list("required", std::array{kind});
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.members({{"maxItems", kMostListedRules}, {"minItems", 1}});
  json.end_object();
}

void add_candidates(JsonWriter& json) {
  json.begin_object("candidates");
  begin_table(candidates_keys(), json);
  add_candidate_rules(json);
  end_table(candidates_keys(), json);
  json.list("required", std::array{"rules"});
  json.end_object();
}

// Adds the keys of [score], including lists of two fields.
void add_score(JsonWriter& json) {
  json.begin_object("score");
  begin_table(score_keys(), json);
  json.begin_object("together");
  json.member("type", "array");
  json.begin_object("items");
  json.member("type", "array");
  json.object("items", {{"type", "string"}});
  json.members({{"minItems", 2}, {"maxItems", 2}});
  json.end_object();
  json.member("description", "pairs of fields that depend on each other, scored as one");
  json.end_object();
  end_table(score_keys(), json);
  json.end_object();
}

void add_decide(JsonWriter& json) {
  json.begin_object("decide");
  begin_table(decide_keys(), json);
  add_pair_rules(
      "always", always_keys(),
      "pairs that are links regardless of their score, unless a never rule excludes them", json);
  add_pair_rules("never", never_keys(), "pairs that never are links", json);
  end_table(decide_keys(), json);
  json.end_object();
}

}  // namespace

std::string link_rules_schema() {
  JsonWriter json(2);
  json.begin_object();
  json.members({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Rules of sosie link"},
                {"description", "What the TOML file of --rules may hold."}});
  begin_table(json);
  json.object("version", {{"const", 1}});
  json.begin_object("fields");
  json.members({{"type", "object"}, {"minProperties", 1}});
  json.begin_object("additionalProperties");
  begin_table(field_keys(), json);
  end_table(field_keys(), json);
  json.end_object();
  json.end_object();
  add_candidates(json);
  add_score(json);
  add_decide(json);
  json.end_object();
  json.list("required", std::array{"version", "fields", "candidates"});
  json.end_object();
  return json.text() + "\n";
}

}  // namespace sosie
