// Rules of `sosie link`, read from TOML.
#include "options/link_rules.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "core/nearest_name.h"
#include "core/rational.h"
#include "sosie/error.h"

namespace sosie {
namespace {

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array kCleans = {
    Named<FieldClean>{"none", FieldClean::none}, Named<FieldClean>{"fold", FieldClean::fold},
    Named<FieldClean>{"alnum", FieldClean::alnum}, Named<FieldClean>{"digits", FieldClean::digits}};
constexpr std::array kTypes = {Named<FieldType>{"text", FieldType::text},
                               Named<FieldType>{"number", FieldType::number},
                               Named<FieldType>{"date", FieldType::date}};
constexpr std::array kAssigns = {Named<Assign>{"one-to-one", Assign::one_to_one},
                                 Named<Assign>{"best", Assign::best},
                                 Named<Assign>{"all", Assign::all}};
constexpr std::array kMethods = {
    Named<ScoreMethod>{"auto", ScoreMethod::automatic},
    Named<ScoreMethod>{"fellegi-sunter", ScoreMethod::fellegi_sunter},
    Named<ScoreMethod>{"book", ScoreMethod::book}, Named<ScoreMethod>{"tfidf", ScoreMethod::tfidf}};
constexpr std::string_view kNotCompared = "none";
constexpr std::size_t kMostBounds = kMostLevels - 3;

// "did you mean X?" for a near name, else all of them.
std::string hint_of(std::string_view written, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(written, names);
  return nearest.empty() ? fmt::format("known here: {}", fmt::join(names, ", "))
                         : fmt::format("did you mean {}?", nearest);
}

template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

template <typename Rows>
std::string_view name_in(const Rows& rows, decltype(rows[0].value) value) noexcept {
  return std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.value == value; })
      ->name;
}

// Reads nodes of a TOML file, and refuses what is not expected with file and line.
class RulesReader {
 public:
  explicit RulesReader(const std::string& name) : name_(name) {}

  [[noreturn]] void refuse(const toml::node& node, const std::string& reason,
                           const std::string& hint = {}) const {
    throw Error(ErrorKind::malformed_input,
                BadPlace{fmt::format("{}:{}", name_, node.source().begin.line)}, reason, hint);
  }

  void check_keys(const toml::table& table, std::span<const std::string_view> known) const {
    for (const auto& [key, node] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      refuse_at(key.source(), fmt::format("unknown key '{}'", key.str()),
                hint_of(key.str(), known));
    }
  }

  [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view what) const {
    if (const toml::table* table = node.as_table()) return *table;
    refuse(node, fmt::format("{} is not a table", what));
  }

  [[nodiscard]] std::string text(const toml::node& node, std::string_view what) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    refuse(node, fmt::format("{} is not a text in quotes", what));
  }

  // A text, or a list of texts.
  [[nodiscard]] std::vector<std::string> texts(const toml::node& node,
                                               std::string_view what) const {
    if (!node.is_array()) return {text(node, what)};
    std::vector<std::string> values;
    for (const toml::node& value : *node.as_array()) values.push_back(text(value, what));
    if (values.empty()) refuse(node, fmt::format("{} is empty", what));
    return values;
  }

  [[nodiscard]] std::uint32_t count(const toml::node& node, std::string_view what,
                                    std::int64_t most) const {
    const auto value = node.value_exact<std::int64_t>();
    if (value && *value >= 1 && *value <= most) return static_cast<std::uint32_t>(*value);
    refuse(node, fmt::format("{} is not a whole number from 1 to {}", what, most));
  }

  [[nodiscard]] bool flag(const toml::node& node, std::string_view what) const {
    if (const auto value = node.value_exact<bool>()) return *value;
    refuse(node, fmt::format("{} is not true or false", what));
  }

  [[nodiscard]] double number(const toml::node& node, std::string_view what) const {
    if (const auto value = node.value<double>(); value && *value >= 0 && *value <= 1e9) {
      return *value;
    }
    refuse(node, fmt::format("{} is not a number from 0 to 1e9", what));
  }

  template <typename Rows>
  [[nodiscard]] auto named(const toml::node& node, std::string_view what, const Rows& rows) const {
    const std::string name = text(node, what);
    for (const auto& row : rows) {
      if (row.name == name) return row.value;
    }
    refuse(node, fmt::format("'{}' is no {}", name, what), hint_of(name, names_of(rows)));
  }

  [[noreturn]] void refuse_at(const toml::source_region& place, const std::string& reason,
                              const std::string& hint) const {
    throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("{}:{}", name_, place.begin.line)},
                reason, hint);
  }

 private:
  const std::string& name_;
};

// Looks up a key and hands its node to `read`.
template <typename Read>
void if_there(const toml::table& table, std::string_view key, const Read& read) {
  if (const toml::node* node = table.get(key)) read(*node);
}

// Bounds of levels: strictest first, within what the measure can tell.
void check_bounds(const RulesReader& in, const toml::node& node, const FieldComparison& compared) {
  const std::vector<double>& bounds = compared.bounds;
  const bool similarity = is_similarity(compared.measure);
  if (compared.measure == FieldMeasure::equal) in.refuse(node, "'equal' has no levels");
  if (bounds.size() > kMostBounds) {
    in.refuse(node, fmt::format("more than {} levels", kMostBounds));
  }
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (similarity && bounds[i] > 1) in.refuse(node, "a level of a similarity is more than 1");
    if (i == 0) continue;
    if (similarity ? bounds[i] < bounds[i - 1] : bounds[i] > bounds[i - 1]) continue;
    in.refuse(node, similarity ? "levels of a similarity fall: strictest first"
                               : "levels of a distance rise: strictest first");
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
    case FieldMeasure::number:
      return {1, 10};
    case FieldMeasure::ratio:
      return {0.02, 0.1, 0.3};
    case FieldMeasure::days:
      return {1, 31, 366};
  }
  return {};
}

void read_comparison(const RulesReader& in, const toml::table& table, LinkField& field) {
  std::vector<Named<FieldMeasure>> measures;
  for (const FieldMeasureName& row : field_measures()) measures.push_back({row.name, row.measure});
  field.comparison.measure = FieldMeasure::jaro_winkler;
  if_there(table, "compare", [&](const toml::node& node) {
    field.is_compared = in.text(node, "compare") != kNotCompared;
    if (field.is_compared) field.comparison.measure = in.named(node, "comparison", measures);
  });
  const FieldMeasure measure = field.comparison.measure;
  const FieldType type = field.form.type;
  const bool fits = measure == FieldMeasure::days ? type == FieldType::date
                    : measure == FieldMeasure::number || measure == FieldMeasure::ratio
                        ? type == FieldType::number
                        : true;
  if (!fits) {
    in.refuse(*table.get("compare"),
              fmt::format("'{}' does not compare this type of field", measure_name(measure)),
              measure == FieldMeasure::days ? "say type = \"date\"" : "say type = \"number\"");
  }
  field.comparison.bounds = usual_bounds(measure);
  if_there(table, "levels", [&](const toml::node& node) {
    const toml::array* levels = node.as_array();
    if (levels == nullptr) in.refuse(node, "levels is not a list of numbers");
    field.comparison.bounds.clear();
    for (const toml::node& level : *levels) {
      field.comparison.bounds.push_back(in.number(level, "a level"));
    }
    check_bounds(in, node, field.comparison);
  });
}

LinkField read_field(const RulesReader& in, std::string name, const toml::node& node) {
  constexpr std::array<std::string_view, 8> kKeys = {
      "columns", "columns_right", "clean", "type", "format", "compare", "levels", "frequency"};
  const toml::table& table = in.table(node, fmt::format("field '{}'", name));
  in.check_keys(table, kKeys);
  LinkField field;
  field.columns = {name};
  field.name = std::move(name);
  if_there(table, "columns",
           [&](const toml::node& value) { field.columns = in.texts(value, "columns"); });
  if_there(table, "columns_right", [&](const toml::node& value) {
    field.columns_right = in.texts(value, "columns_right");
  });
  if_there(table, "clean",
           [&](const toml::node& value) { field.form.clean = in.named(value, "clean", kCleans); });
  if_there(table, "type",
           [&](const toml::node& value) { field.form.type = in.named(value, "type", kTypes); });
  if_there(table, "format", [&](const toml::node& value) {
    if (field.form.type != FieldType::date) in.refuse(value, "format is for type = \"date\"");
    field.form.date_format = in.text(value, "format");
    if (!is_day_format(field.form.date_format)) {
      in.refuse(value, "format is not made of %Y, %m and %d", "such as \"%d.%m.%Y\"");
    }
  });
  if_there(table, "frequency",
           [&](const toml::node& value) { field.frequency = in.flag(value, "frequency"); });
  read_comparison(in, table, field);
  return field;
}

std::vector<LinkField> read_fields(const RulesReader& in, const toml::node& node) {
  const toml::table& table = in.table(node, "fields");
  // A table is ordered by its keys, the rules by their places in the file.
  std::vector<std::pair<toml::source_position, LinkField>> placed;
  for (const auto& [key, value] : table) {
    placed.emplace_back(key.source().begin, read_field(in, std::string(key.str()), value));
  }
  std::sort(placed.begin(), placed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<LinkField> fields;
  fields.reserve(placed.size());
  for (auto& [place, field] : placed) fields.push_back(std::move(field));
  const auto compared = std::count_if(fields.begin(), fields.end(),
                                      [](const LinkField& field) { return field.is_compared; });
  if (compared == 0) in.refuse(node, "no field is compared");
  if (static_cast<std::size_t>(compared) > kMostComparedFields) {
    in.refuse(node, fmt::format("more than {} fields are compared", kMostComparedFields));
  }
  return fields;
}

std::vector<std::uint32_t> fields_in(const RulesReader& in, const toml::node& node,
                                     std::string_view what, const std::vector<LinkField>& fields) {
  std::vector<std::uint32_t> found;
  for (const std::string& name : in.texts(node, what)) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const LinkField& f) { return f.name == name; });
    if (field == fields.end()) {
      in.refuse(node, fmt::format("'{}' is no field", name), hint_of(name, names_of(fields)));
    }
    found.push_back(static_cast<std::uint32_t>(field - fields.begin()));
  }
  return found;
}

CandidateRule read_candidate(const RulesReader& in, const toml::node& node,
                             const std::vector<LinkField>& fields) {
  constexpr std::array kKinds = {Named<CandidateRule::Kind>{"equal", CandidateRule::Kind::equal},
                                 Named<CandidateRule::Kind>{"near", CandidateRule::Kind::near},
                                 Named<CandidateRule::Kind>{"sorted", CandidateRule::Kind::sorted}};
  constexpr std::array<std::string_view, 6> kKeys = {"equal",  "near", "sorted",
                                                     "prefix", "top",  "window"};
  constexpr std::int64_t kMost = 1 << 20;
  const toml::table& table = in.table(node, "a candidate rule");
  in.check_keys(table, kKeys);
  CandidateRule rule;
  int kinds = 0;
  for (const auto& kind : kKinds) {
    if_there(table, kind.name, [&](const toml::node& value) {
      ++kinds;
      rule.kind = kind.value;
      rule.fields = fields_in(in, value, kind.name, fields);
    });
  }
  if (kinds != 1) in.refuse(node, "a candidate rule has one of equal, near and sorted");
  const auto read_count = [&](std::string_view key, CandidateRule::Kind kind, std::uint32_t& to) {
    if_there(table, key, [&](const toml::node& value) {
      if (rule.kind != kind) {
        in.refuse(value, fmt::format("{} is for {}", key, name_in(kKinds, kind)));
      }
      to = in.count(value, key, kMost);
    });
  };
  read_count("prefix", CandidateRule::Kind::equal, rule.prefix);
  read_count("top", CandidateRule::Kind::near, rule.top);
  read_count("window", CandidateRule::Kind::sorted, rule.window);
  return rule;
}

void read_candidates(const RulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 2> kKeys = {"rules", "max_block"};
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  constexpr std::size_t kMostRules = 32;
  const toml::table& table = in.table(node, "candidates");
  in.check_keys(table, kKeys);
  if_there(table, "max_block",
           [&](const toml::node& value) { rules.max_block = in.count(value, "max_block", kMost); });
  if_there(table, "rules", [&](const toml::node& value) {
    const toml::array* list = value.as_array();
    if (list == nullptr) in.refuse(value, "rules is not a list");
    if (list->size() > kMostRules) in.refuse(value, fmt::format("more than {} rules", kMostRules));
    for (const toml::node& rule : *list) {
      rules.candidates.push_back(read_candidate(in, rule, rules.fields));
    }
  });
  if (rules.candidates.empty()) in.refuse(node, "no candidate rule");
}

// Fields of one group that are scored together.
std::vector<std::uint32_t> read_group(const RulesReader& in, const toml::node& node,
                                      const LinkRules& rules) {
  std::vector<std::uint32_t> group = fields_in(in, node, "a group of together", rules.fields);
  if (group.size() != 2) in.refuse(node, "two fields at a time are scored together");
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

void read_score(const RulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 3> kKeys = {"method", "together", "model"};
  const toml::table& table = in.table(node, "score");
  in.check_keys(table, kKeys);
  if_there(table, "method", [&](const toml::node& value) {
    rules.method = in.named(value, "method of scoring", kMethods);
  });
  if_there(table, "together", [&](const toml::node& value) {
    const toml::array* groups = value.as_array();
    if (groups == nullptr) in.refuse(value, "together is not a list of lists of fields");
    for (const toml::node& group : *groups) rules.together.push_back(read_group(in, group, rules));
  });
  if_there(table, "model", [&](const toml::node& value) { rules.model = in.text(value, "model"); });
  const bool has_levels =
      rules.method == ScoreMethod::automatic || rules.method == ScoreMethod::fellegi_sunter;
  if (!has_levels && (!rules.model.empty() || !rules.together.empty())) {
    in.refuse(node, fmt::format("{} has no weights of levels", score_method_name(rules.method)),
              "model and together are for method = \"fellegi-sunter\"");
  }
}

void read_decide(const RulesReader& in, const toml::node& node, LinkRules& rules) {
  constexpr std::array<std::string_view, 2> kKeys = {"assign", "cut"};
  const toml::table& table = in.table(node, "decide");
  in.check_keys(table, kKeys);
  if_there(table, "assign",
           [&](const toml::node& value) { rules.assign = in.named(value, "assign", kAssigns); });
  if_there(table, "cut", [&](const toml::node& value) {
    rules.cut =
        value.is_string() ? in.text(value, "cut") : fmt::format("{}", in.number(value, "cut"));
    if (!is_link_cut(rules.cut)) in.refuse(value, fmt::format("'{}' is no cut", rules.cut));
  });
}

LinkRules read_rules(const RulesReader& in, const toml::table& root) {
  constexpr std::array<std::string_view, 5> kKeys = {"version", "fields", "candidates", "score",
                                                     "decide"};
  in.check_keys(root, kKeys);
  const toml::node* version = root.get("version");
  if (version == nullptr || version->value_exact<std::int64_t>() != 1) {
    in.refuse(version == nullptr ? root : *version, "the version of the rules is not 1",
              "rules begin with version = 1");
  }
  LinkRules rules;
  const toml::node* fields = root.get("fields");
  if (fields == nullptr) in.refuse(root, "[fields] is missing");
  rules.fields = read_fields(in, *fields);
  const toml::node* candidates = root.get("candidates");
  if (candidates == nullptr) in.refuse(root, "[candidates] is missing");
  read_candidates(in, *candidates, rules);
  if_there(root, "score", [&](const toml::node& node) { read_score(in, node, rules); });
  if_there(root, "decide", [&](const toml::node& node) { read_decide(in, node, rules); });
  return rules;
}

}  // namespace

std::string_view clean_name(FieldClean clean) noexcept { return name_in(kCleans, clean); }
std::string_view score_method_name(ScoreMethod method) noexcept {
  return name_in(kMethods, method);
}
std::string_view assign_name(Assign assign) noexcept { return name_in(kAssigns, assign); }

Assign assign_called(std::string_view name) noexcept {
  return std::find_if(kAssigns.begin(), kAssigns.end(),
                      [&](const auto& row) { return row.name == name; })
      ->value;
}

std::string_view measure_name(FieldMeasure measure) noexcept {
  for (const FieldMeasureName& row : field_measures()) {
    if (row.measure == measure) return row.name;
  }
  return {};
}

bool is_link_cut(std::string_view text) {
  constexpr std::string_view kPrecision = "precision:";
  if (text == "auto") return true;
  if (text.starts_with(kPrecision)) text.remove_prefix(kPrecision.size());
  const auto value = parse_rational(text);
  return value && value->num > 0 && value->num <= value->den;
}

LinkRules parse_link_rules(std::string_view text, const std::string& name) {
  try {
    return read_rules(RulesReader(name), toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::malformed_input,
                BadPlace{fmt::format("{}:{}", name, error.source().begin.line)},
                fmt::format("not TOML: {}", error.description()));
  }
}

}  // namespace sosie
