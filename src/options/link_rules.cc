// Rules for `sosie link`, read from TOML. rule_key.cc defines the values of each key; this file
// checks which keys may be combined.
#include "options/link_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "core/rational.h"
#include "options/link_rules_reader.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Checks the bounds of levels: strictest first, and within the range of the measure.
void check_bounds(const LinkRulesReader& in, const toml::node& node,
                  const FieldComparison& compared) {
  const std::vector<double>& bounds = compared.bounds;
  const bool similarity = is_similarity(compared.measure);
  if (compared.measure == FieldMeasure::equal) in.refuse(node, "'equal' has no levels");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (similarity && bounds[i] > 1) in.refuse(node, "a similarity level is above 1");
    if (i == 0) continue;
    if (similarity ? bounds[i] < bounds[i - 1] : bounds[i] > bounds[i - 1]) continue;
    in.refuse(node, similarity ? "similarity levels must decrease (strictest first)"
                               : "distance levels must increase (strictest first)");
  }
}

std::vector<double> usual_bounds(FieldMeasure measure) {
  switch (measure) {
    case FieldMeasure::equal:
      return {};
    case FieldMeasure::jaro_winkler:
      return {0.92, 0.82, 0.7};
    case FieldMeasure::cosine:
    case FieldMeasure::tfidf:
      return {0.7, 0.5, 0.3};
    case FieldMeasure::levenshtein:
    case FieldMeasure::damerau:
      return {1, 2};
    case FieldMeasure::edit_similarity:
      return {0.87, 0.8, 0.7, 0.6};
    case FieldMeasure::number:
      return {1, 10};
    case FieldMeasure::ratio:
      return {0.02, 0.1, 0.3};
    case FieldMeasure::nearness:
      return {0.998, 0.99, 0.95, 0.8, 0.5};
    case FieldMeasure::days:
      return {1, 31, 366};
  }
  return {};
}

void check_comparison(const LinkRulesReader& in, const toml::table& table, LinkField& field) {
  const FieldMeasure measure = field.comparison.measure;
  const FieldType type = field.form.type;
  const bool fits = measure == FieldMeasure::days ? type == FieldType::date
                    : measure == FieldMeasure::number || measure == FieldMeasure::ratio ||
                            measure == FieldMeasure::nearness
                        ? type == FieldType::number
                        : true;
  if (!fits) {
    in.refuse(*table.get("compare"),
              fmt::format("'{}' cannot compare this type of field", measure_name(measure)),
              measure == FieldMeasure::days ? "set type = \"date\"" : "set type = \"number\"");
  }
  if (const toml::node* levels = table.get("levels")) {
    check_bounds(in, *levels, field.comparison);
  } else {
    field.comparison.bounds = usual_bounds(measure);
  }
}

bool has_two_columns(const LinkField& field) {
  return field.columns.size() == 2 &&
         (field.columns_right.empty() || field.columns_right.size() == 2);
}

void check_brief(const LinkRulesReader& in, const toml::node& node, const LinkField& field) {
  const bool are_columns =
      std::all_of(field.brief.begin(), field.brief.end(), [&](const std::string& name) {
        return std::find(field.columns.begin(), field.columns.end(), name) != field.columns.end();
      });
  if (!are_columns) in.refuse(node, "brief must name some of the field's columns, but not others");
  if (!field.columns_right.empty() && field.columns_right.size() != field.columns.size()) {
    in.refuse(node, "brief needs as many columns_right as columns");
  }
  if (field.swapped || !field.separator.empty()) {
    in.refuse(node, "brief cannot be combined with swapped or separator");
  }
  const FieldMeasure measure = field.comparison.measure;
  if (measure != FieldMeasure::cosine && measure != FieldMeasure::tfidf) {
    in.refuse(node, "brief works only with cosine and tfidf");
  }
}

// Checks the fields that other fields name in `crosswise`.
void check_crosswise(const LinkRulesReader& in, const toml::table& table,
                     const std::vector<LinkField>& fields) {
  const auto compares_names = [](const LinkField& field) {
    return field.is_compared && field.comparison.measure == FieldMeasure::jaro_winkler;
  };
  for (const LinkField& field : fields) {
    if (field.crosswise.empty()) continue;
    const toml::node& node = *table.get(field.name)->as_table()->get("crosswise");
    const auto other = std::find_if(fields.begin(), fields.end(), [&](const LinkField& some) {
      return some.name == field.crosswise;
    });
    if (other == fields.end() || &*other == &field) {
      in.refuse(node, fmt::format("'{}' is not the name of another field", field.crosswise));
    }
    if (!compares_names(field) || !compares_names(*other)) {
      in.refuse(node, "crosswise needs two fields that are compared by jaro-winkler");
    }
  }
}

// Checks the keys of a field that have an effect only together with other keys.
void check_field(const LinkRulesReader& in, const toml::table& table, LinkField& field) {
  const auto only_for = [&](FieldType type, std::string_view name,
                            std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      const toml::node* node = table.get(key);
      if (node == nullptr || field.form.type == type) continue;
      in.refuse(*node, fmt::format("{} needs type = \"{}\"", key, name));
    }
  };
  only_for(FieldType::date, "date", {"format", "format_right"});
  only_for(FieldType::number, "number", {"decimal", "decimal_right"});
  if (field.swapped && !has_two_columns(field)) {
    in.refuse(*table.get("swapped"), "swapped needs a field with two columns",
              "such as columns = [\"given_name\", \"surname\"]");
  }
  if (field.swapped && !field.separator.empty()) {
    in.refuse(*table.get("swapped"), "swapped cannot be combined with separator");
  }
  if (!field.brief.empty()) check_brief(in, *table.get("brief"), field);
  const toml::node* nicknames = table.get("nicknames");
  if (nicknames != nullptr && field.form.type != FieldType::text) {
    in.refuse(*nicknames, "nicknames need type = \"text\"");
  }
  if (nicknames != nullptr && field.is_compared && field.comparison.bounds.empty()) {
    in.refuse(*nicknames, "nicknames need a level below equal",
              "use levels = [...] and a comparison other than \"equal\"");
  }
}

LinkField read_field(const LinkRulesReader& in, std::string name, const toml::node& node) {
  const toml::table& table = in.table(node, fmt::format("field '{}'", name));
  LinkField field;
  field.columns = {name};
  field.name = std::move(name);
  field.comparison.measure = FieldMeasure::jaro_winkler;
  in.fill(table, field_keys(), field);
  check_comparison(in, table, field);
  check_field(in, table, field);
  return field;
}

std::vector<LinkField> read_fields(const LinkRulesReader& in, const toml::node& node) {
  const toml::table& table = in.table(node, "fields");
  // The library orders a table by its keys, but rules must be in the order of the file.
  std::vector<std::pair<toml::source_position, LinkField>> placed;
  for (const auto& [key, value] : table) {
    placed.emplace_back(key.source().begin, read_field(in, std::string(key.str()), value));
  }
  std::sort(placed.begin(), placed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LinkField> fields;
  fields.reserve(placed.size());
  for (auto& [place, field] : placed) fields.push_back(std::move(field));
  check_crosswise(in, table, fields);
  const auto compared = std::count_if(fields.begin(), fields.end(),
                                      [](const LinkField& field) { return field.is_compared; });
  if (compared == 0) in.refuse(node, "no field is compared");
  if (static_cast<std::size_t>(compared) > kMostComparedFields) {
    in.refuse(node, fmt::format("more than {} fields are compared", kMostComparedFields));
  }
  return fields;
}

// Rejects a key that cannot be combined with the measure.
void refuse_key(const LinkRulesReader& in, const toml::table& table, std::string_view key,
                const std::string& reason, const std::string& hint = {}) {
  if (const toml::node* node = table.get(key)) {
    in.refuse(*node, fmt::format("{} cannot be combined with {}", key, reason), hint);
  }
}

void check_near_strings(const LinkRulesReader& in, const toml::table& table,
                        const CandidateRule& rule) {
  const std::string reason =
      fmt::format("'{}', which compares strings and counts edits", rule.near.measure);
  for (const std::string_view key : {"top", "shingle", "method", "recall"}) {
    refuse_key(in, table, key, reason, "within or threshold finds all similar strings");
  }
  if (rule.near.within.has_value() != rule.near.threshold.empty()) {
    in.refuse(*table.get("measure"),
              fmt::format("'{}' needs within or threshold, and not both", rule.near.measure),
              "within = 2: at most 2 edits; threshold = 0.85: more in longer strings");
  }
}

void check_near_sets(const LinkRulesReader& in, const toml::table& table, CandidateRule& rule) {
  refuse_key(in, table, "within", fmt::format("'{}', which compares sets", rule.near.measure),
             "use threshold = S, or a measure of strings");
  const bool bounded = !rule.near.threshold.empty();
  if (bounded && table.get("top") == nullptr) rule.top = 0;
  if (!rule.near.lsh) {
    refuse_key(in, table, "recall", "method = \"exact\", which always finds every pair");
    return;
  }
  refuse_key(in, table, "top", "method = \"lsh\", which finds what reaches a threshold");
  if (!bounded) {
    in.refuse(*table.get("method"), "lsh needs a threshold", "use threshold = S");
  }
  if (set_measure(rule.near.measure, kTextItems)->distance.empty()) {
    in.refuse(*table.get("method"), fmt::format("there is no lsh for '{}'", rule.near.measure),
              "measure = \"jaccard\" has one; method = \"exact\" finds every pair");
  }
}

void check_near(const LinkRulesReader& in, const toml::table& table, CandidateRule& rule) {
  if (!rule.near.is_tfidf()) {
    refuse_key(in, table, "prune", fmt::format("'{}'", rule.near.measure),
               "prune works only with tfidf");
  }
  if (rule.near.is_tfidf()) {
    for (const std::string_view key : {"within", "threshold", "method", "recall"}) {
      refuse_key(in, table, key, "tfidf, which finds the nearest partners of each record",
                 "name a measure, such as \"cosine\" or \"levenshtein\"");
    }
  } else if (rule.near.is_of_strings()) {
    check_near_strings(in, table, rule);
  } else {
    check_near_sets(in, table, rule);
  }
}

CandidateRule read_candidate(const LinkRulesReader& in, const toml::node& node) {
  constexpr std::array<std::string_view, 3> kKinds = {"equal", "near", "sorted"};
  const toml::table& table = in.table(node, "a candidate rule");
  CandidateRule rule;
  in.fill(table, candidate_keys(), rule);
  const auto kinds = std::count_if(kKinds.begin(), kKinds.end(), [&](std::string_view kind) {
    return table.get(kind) != nullptr;
  });
  if (kinds != 1) in.refuse(node, "a candidate rule needs exactly one of equal, near and sorted");
  if (rule.kind == CandidateRule::Kind::near) check_near(in, table, rule);
  return rule;
}

void read_candidates(const LinkRulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 1> kRules = {"rules"};
  const toml::table& table = in.table(node, "candidates");
  in.fill(table, candidates_keys(), rules, kRules);
  if (const toml::node* list = table.get("rules")) {
    for (const toml::node& rule : in.list_of_rules(*list, "rules")) {
      rules.candidates.push_back(read_candidate(in, rule));
    }
  }
  if (rules.candidates.empty()) in.refuse(node, "no candidate rule");
}

std::vector<PairRule> read_pair_rules(const LinkRulesReader& in, const toml::table& table,
                                      std::string_view key,
                                      std::span<const RuleKeyOf<PairRule>> keys) {
  std::vector<PairRule> rules;
  const toml::node* list = table.get(key);
  if (list == nullptr) return rules;
  for (const toml::node& node : in.list_of_rules(*list, key)) {
    PairRule rule;
    in.fill(in.table(node, fmt::format("a rule of {}", key)), keys, rule);
    if (rule.empty()) {
      in.refuse(node, fmt::format("every rule of {} needs {} = [...]", key, keys.front().key.name));
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

// Two fields that are scored together; each may be in only one group.
std::vector<std::uint32_t> read_group(const LinkRulesReader& in, const toml::node& node,
                                      const LinkRules& rules) {
  std::vector<std::uint32_t> group = in.fields(node, {"together", RuleType::fields, {}});
  if (group.size() != 2) in.refuse(node, "each group names exactly two fields");
  for (const std::uint32_t field : group) {
    const std::string& name = rules.fields[field].name;
    if (!rules.fields[field].is_compared) {
      in.refuse(node, fmt::format("'{}' is not compared", name));
    }
    const bool is_taken =
        group[0] == group[1] ||
        std::any_of(rules.together.begin(), rules.together.end(), [&](const auto& other) {
          return std::find(other.begin(), other.end(), field) != other.end();
        });
    if (is_taken) in.refuse(node, fmt::format("'{}' is scored together with another one", name));
  }
  std::sort(group.begin(), group.end());
  return group;
}

void read_score(const LinkRulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 1> kTogether = {"together"};
  const toml::table& table = in.table(node, "score");
  in.fill(table, score_keys(), rules, kTogether);
  if (const toml::node* list = table.get("together")) {
    for (const toml::node& group : in.list_of_rules(*list, "together")) {
      rules.together.push_back(read_group(in, group, rules));
    }
  }
  const bool has_levels =
      rules.method == ScoreMethod::automatic || rules.method == ScoreMethod::fellegi_sunter;
  if (!has_levels && (!rules.model.empty() || !rules.together.empty())) {
    in.refuse(node, fmt::format("{} does not weight levels", score_method_name(rules.method)),
              "model and together need method = \"fellegi-sunter\"");
  }
}

void read_decide(const LinkRulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 2> kLists = {"always", "never"};
  const toml::table& table = in.table(node, "decide");
  in.fill(table, decide_keys(), rules, kLists);
  rules.always = read_pair_rules(in, table, kLists[0], always_keys());
  rules.never = read_pair_rules(in, table, kLists[1], never_keys());
}

LinkRules read_rules(LinkRulesReader in, const toml::table& root) {
  constexpr std::array<std::string_view, 5> kKeys = {"version", "fields", "candidates", "score",
                                                     "decide"};
  in.check_keys(root, kKeys);
  const toml::node* version = root.get("version");
  if (version == nullptr || version->value_exact<std::int64_t>() != 1) {
    in.refuse(version == nullptr ? root : *version, "the rules version is not 1",
              "a rules file begins with version = 1");
  }
  LinkRules rules;
  const toml::node* fields = root.get("fields");
  if (fields == nullptr) in.refuse(root, "[fields] is missing");
  rules.fields = read_fields(in, *fields);
  in.know(rules.fields);
  const toml::node* candidates = root.get("candidates");
  if (candidates == nullptr) in.refuse(root, "[candidates] is missing");
  read_candidates(in, *candidates, rules);
  if (const toml::node* score = root.get("score")) read_score(in, *score, rules);
  if (const toml::node* decide = root.get("decide")) read_decide(in, *decide, rules);
  return rules;
}

// The library turns each part of a dotted key into a nested table, and destroys nested tables
// recursively. It limits the depth of brackets, but not of such keys. Dots in strings are counted
// too, because finding where a string begins requires parsing everything before it, and no string
// has that many sentences on a line.
void refuse_deep_keys(std::string_view text, const std::string& name) {
  constexpr std::size_t kMostParts = 64;
  std::size_t line = 1;
  std::size_t parts = 1;
  char last = '\n';  // but for blanks
  bool is_comment = false;
  for (const char c : text) {
    if (c == '\n') ++line;
    is_comment = c != '\n' && (is_comment || (c == '#' && last == '\n'));
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) parts = 1;
    if (c == '.' && last != '.' && !is_comment) ++parts;
    if (c != ' ' && c != '\t') last = c;
    if (parts <= kMostParts) continue;
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("{}:{}", name, line)},
                fmt::format("a key has more than {} parts", kMostParts));
  }
}

}  // namespace

bool is_link_cut(std::string_view text) {
  constexpr std::string_view kPrecision = "precision:";
  if (text == "auto") return true;
  if (text.starts_with(kPrecision)) text.remove_prefix(kPrecision.size());
  const auto value = parse_rational(text);
  return value && value->num > 0 && value->num <= value->den;
}

LinkRules parse_link_rules(std::string_view text, const std::string& name) {
  refuse_deep_keys(text, name);
  try {
    return read_rules(LinkRulesReader(name), toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::malformed_input,
                BadPlace{fmt::format("{}:{}", name, error.source().begin.line)},
                fmt::format("not TOML: {}", error.description()));
  }
}

}  // namespace sosie
