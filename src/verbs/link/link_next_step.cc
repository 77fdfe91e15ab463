// Suggests the next step for a doubtful answer of `sosie link`.
#include "verbs/link/link_next_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/joined_text.h"
#include "decide/link_confidence.h"
#include "read/field_paths.h"
#include "report/link_table.h"
#include "report/repeat_command.h"

namespace sosie {
namespace {

constexpr double kFewFilled = 0.5;  // a field filled less often is not decisive

// True for a field that consists of the column of the same name, so that options can name it.
bool is_column(const LinkField& field) {
  return field.columns.size() == 1 && field.columns.front() == field.name &&
         field.columns_right.empty();
}

// True if pairs can still be found and scored without the column: at least two other fields are
// compared, and every candidate rule with this column also has other fields.
bool can_do_without(const LinkRules& rules, std::uint32_t column) {
  constexpr std::ptrdiff_t kFewestFields = 2;
  const std::string& name = rules.fields[column].name;
  const auto is_of_it = [&](std::uint32_t f) {
    const std::vector<std::string>& columns = rules.fields[f].columns;
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  const std::vector<std::uint32_t> compared = rules.compared();
  return std::count_if(compared.begin(), compared.end(),
                       [&](std::uint32_t f) { return !is_of_it(f); }) >= kFewestFields &&
         std::all_of(rules.candidates.begin(), rules.candidates.end(),
                     [&](const CandidateRule& rule) {
                       return !std::all_of(rule.fields.begin(), rule.fields.end(), is_of_it);
                     });
}

bool can_be_named(const LinkRules& rules, std::optional<std::uint32_t> field) {
  return field && is_column(rules.fields[*field]) && can_do_without(rules, *field);
}

// Rounds down, so that a cut at this value keeps the pair, with enough digits to distinguish it
// from 1.
std::string probability_text(double probability) {
  constexpr double kNearOne = 0.999;
  return probability < kNearOne ? fmt::format("{:.3f}", std::floor(probability * 1e3) / 1e3)
                                : fmt::format("{:.6f}", std::floor(probability * 1e6) / 1e6);
}

std::string ignore(const LinkField& field, std::string_view reason) {
  return fmt::format("--ignore {}, {}", shell_word(escaped_name(field.name)), reason);
}

}  // namespace

std::string next_step(const LinkRules& rules, const RecordTable& table, const LinkDoubts& doubts) {
  const auto field = [&](std::optional<std::uint32_t> f) -> const LinkField& {
    return rules.fields[*f];
  };
  if (!doubts.has_candidates) {
    return "a rule that finds candidates: --init writes rules to edit";
  }
  if (doubts.likeliest) {
    return fmt::format("a lower --cut: the likeliest pair has probability {}",
                       probability_text(*doubts.likeliest));
  }
  if (!doubts.has_links && doubts.strongest) {
    return fmt::format("a rule, if equal values are one entity: always = [{{ equal = [\"{}\"] }}]",
                       field(doubts.strongest).name);
  }
  if (doubts.by_scores) {
    return rules.compared().size() == 1
               ? "a second column to compare: --init writes rules to edit"
               : "a rule: method = \"fellegi-sunter\" learns a model of the fields";
  }
  if (!doubts.kin.empty()) {
    std::vector<std::string> names;
    for (const std::uint32_t f : doubts.kin) names.push_back('"' + rules.fields[f].name + '"');
    return fmt::format(
        "a rule, if records that differ like this are different entities: never = [{{ differ = "
        "[{}] }}]",
        joined_text(names, ", "));
  }
  if (can_be_named(rules, doubts.decisive)) {
    const double filled = filled_share(table, *doubts.decisive);
    if (filled < kFewFilled) {
      return ignore(field(doubts.decisive),
                    fmt::format("which {:.0f} % of the records have", 100 * filled));
    }
    return std::string(kLabelStep);
  }
  if (doubts.disputed) {
    return fmt::format(
        "a rule, if records of the same entity never differ in it: never = [{{ differ = "
        "[\"{}\"] }}]",
        field(doubts.disputed).name);
  }
  if (can_be_named(rules, doubts.blurring)) {
    return ignore(field(doubts.blurring), "without which most pairs are clear");
  }
  if (doubts.has_links) return std::string(kLabelStep);
  return "a column that distinguishes records: --init writes rules to edit";
}

}  // namespace sosie
