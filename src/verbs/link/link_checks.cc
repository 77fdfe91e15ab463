// Fields used only to check the answer of `sosie link`, not to find links.
#include "verbs/link/link_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/joined_text.h"
#include "core/nearest_name.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason,
                         const std::string& hint = {}) {
  throw Error(ErrorKind::invalid_option, RefusedOption{"check-by", name}, reason, hint);
}

const RecordColumn* column_called(const RecordRows& rows, const std::string& name) {
  const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  return found == rows.columns.end() ? nullptr : &*found;
}

// Position of the field in the rules; if necessary, adds a column of this name.
std::uint32_t position_of(const std::string& name, const RecordRows& left, const RecordRows* right,
                          LinkRules& rules) {
  const auto found = std::find_if(rules.fields.begin(), rules.fields.end(),
                                  [&](const LinkField& field) { return field.name == name; });
  if (found != rules.fields.end()) {
    return static_cast<std::uint32_t>(found - rules.fields.begin());
  }
  const RecordColumn* column = column_called(left, name);
  const RecordColumn* other = right == nullptr ? nullptr : column_called(*right, name);
  if (column == nullptr || (right != nullptr && other == nullptr)) {
    const std::vector<std::string_view> names(left.fields.begin(), left.fields.end());
    const std::string_view nearest = nearest_name(name, names);
    refuse(name,
           column == nullptr ? "no record has this field"
                             : "the other collection does not have this field",
           nearest.empty() || nearest == name
               ? fmt::format("available fields: {}", joined_text(names, ", "))
               : fmt::format("did you mean {}?", nearest));
  }
  rules.fields.push_back(usual_field(*column, other));
  return static_cast<std::uint32_t>(rules.fields.size() - 1);
}

void take_out(const std::string& column, LinkField& field) {
  const auto place = std::find(field.columns.begin(), field.columns.end(), column);
  if (!field.columns_right.empty()) {
    field.columns_right.erase(field.columns_right.begin() + (place - field.columns.begin()));
  }
  field.columns.erase(place);
  std::erase(field.brief, column);
}

// Removes the columns of a field from texts built from many columns, and rejects a two-column field
// that contains one of these columns.
void set_apart(std::uint32_t position, LinkRules& rules) {
  const LinkField held_out = rules.fields[position];
  for (LinkField& field : rules.fields) {
    if (field.name == held_out.name || !field.is_compared) continue;
    if (field.crosswise == held_out.name) field.crosswise.clear();
    for (const std::string& column : held_out.columns) {
      if (!holds(field.columns, column)) continue;
      const bool are_pairs =
          field.columns_right.empty() || field.columns_right.size() == field.columns.size();
      if (field.columns.size() > 2 && are_pairs) {
        take_out(column, field);
        continue;
      }
      refuse(held_out.name, fmt::format("is scored as part of '{}'", field.name),
             "name a field that is not scored, or auto");
    }
  }
}

// Removes the field, and other fields built from its columns, from the candidate rules.
void find_nothing_by(std::uint32_t position, LinkRules& rules) {
  const std::vector<std::string>& columns = rules.fields[position].columns;
  const auto tells = [&](std::uint32_t field) {
    const std::vector<std::string>& others = rules.fields[field].columns;
    return std::any_of(columns.begin(), columns.end(),
                       [&](const std::string& column) { return holds(others, column); });
  };
  for (CandidateRule& rule : rules.candidates) std::erase_if(rule.fields, tells);
  std::erase_if(rules.candidates, [](const CandidateRule& rule) { return rule.fields.empty(); });
  if (rules.candidates.empty()) {
    refuse(rules.fields[position].name, "every candidate rule uses this field alone",
           "check by another field, or add a candidate rule");
  }
}

}  // namespace

LinkChecks checks_of(const Options& options) {
  constexpr std::string_view kColumn = "column:";
  LinkChecks checks;
  checks.each_field = options.check_by == "auto";
  if (!checks.each_field) checks.field = options.check_by;
  if (options.truth.starts_with(kColumn)) {
    checks.truth_column = options.truth.substr(kColumn.size());
    if (checks.truth_column.empty()) {
      throw Error(ErrorKind::invalid_option, RefusedOption{"truth"}, "names no field",
                  "--truth column:FIELD");
    }
  } else {
    checks.truth_file = options.truth;
  }
  if (!checks.field.empty() && checks.field == checks.truth_column) {
    refuse(checks.field, "holds the truth, so it cannot also be the check");
  }
  return checks;
}

void want_checks(const LinkChecks& checks, const LinkRules* rules, RecordFields& asked) {
  for (const std::string& name : {checks.field, checks.truth_column}) {
    if (name.empty()) continue;
    std::erase(asked.ignored, name);
    if (rules == nullptr || holds(asked.wanted, name)) continue;
    const bool is_field = std::any_of(rules->fields.begin(), rules->fields.end(),
                                      [&](const LinkField& field) { return field.name == name; });
    if (!is_field || name == checks.truth_column) asked.also.push_back(name);
  }
}

std::optional<RecordColumn> taken_column(RecordRows& rows, const std::string& name) {
  const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                  [&](const RecordColumn& column) { return column.name == name; });
  if (found == rows.columns.end()) return std::nullopt;
  RecordColumn column = std::move(*found);
  rows.columns.erase(found);
  return column;
}

std::uint32_t hold_out(const std::string& name, const RecordRows& left, const RecordRows* right,
                       ChosenRules& chosen) {
  LinkRules& rules = chosen.rules;
  const std::uint32_t position = position_of(name, left, right, rules);
  const bool was_compared = rules.fields[position].is_compared;
  rules.fields[position].is_compared = false;
  set_apart(position, rules);
  if (rules.compared().empty()) refuse(name, "no other field is compared");
  std::erase_if(rules.together, [&](const std::vector<std::uint32_t>& group) {
    return std::find(group.begin(), group.end(), position) != group.end();
  });
  find_nothing_by(position, rules);
  if (was_compared) {
    chosen.notes.push_back(fmt::format(
        "field '{}' is not scored and finds no candidates: it serves as the check", name));
  }
  return position;
}

}  // namespace sosie
