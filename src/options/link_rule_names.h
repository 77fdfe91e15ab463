#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "options/link_rules.h"

namespace sosie {

// A named value in a rules file.
template <typename Value>
struct LinkRuleName {
  std::string_view name;
  Value value;
};

// TABLES: names of values in a rules file.
inline constexpr std::array kCleans = {LinkRuleName<FieldClean>{"none", FieldClean::none},
                                       LinkRuleName<FieldClean>{"fold", FieldClean::fold},
                                       LinkRuleName<FieldClean>{"alnum", FieldClean::alnum},
                                       LinkRuleName<FieldClean>{"words", FieldClean::words},
                                       LinkRuleName<FieldClean>{"digits", FieldClean::digits}};
inline constexpr std::array kTypes = {LinkRuleName<FieldType>{"text", FieldType::text},
                                      LinkRuleName<FieldType>{"number", FieldType::number},
                                      LinkRuleName<FieldType>{"date", FieldType::date}};
inline constexpr std::array kAssigns = {LinkRuleName<Assign>{"auto", Assign::automatic},
                                        LinkRuleName<Assign>{"one-to-one", Assign::one_to_one},
                                        LinkRuleName<Assign>{"best", Assign::best},
                                        LinkRuleName<Assign>{"all", Assign::all}};
inline constexpr std::array kScoreMethods = {
    LinkRuleName<ScoreMethod>{"auto", ScoreMethod::automatic},
    LinkRuleName<ScoreMethod>{"fellegi-sunter", ScoreMethod::fellegi_sunter},
    LinkRuleName<ScoreMethod>{"book", ScoreMethod::book},
    LinkRuleName<ScoreMethod>{"tfidf", ScoreMethod::tfidf}};
inline constexpr std::string_view kNotCompared = "none";  // "none" as a comparison

template <typename Rows>
[[nodiscard]] std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  names.reserve(rows.size());
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

// The value with this name in the table.
template <typename Value, std::size_t kCount>
[[nodiscard]] constexpr std::optional<Value> value_in(
    const std::array<LinkRuleName<Value>, kCount>& rows, std::string_view name) {
  for (const LinkRuleName<Value>& row : rows) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

// The name of a value, which must be in the table.
template <typename Value, std::size_t kCount>
[[nodiscard]] constexpr std::string_view name_in(
    const std::array<LinkRuleName<Value>, kCount>& rows, Value value) noexcept {
  return std::find_if(rows.begin(), rows.end(),
                      [&](const LinkRuleName<Value>& row) { return row.value == value; })
      ->name;
}

[[nodiscard]] std::optional<FieldMeasure> measure_called(std::string_view name) noexcept;
// The measures for `near`: tfidf, measures of strings, and measures of sets of shingles.
[[nodiscard]] std::vector<std::string_view> near_measure_names();
// True if the text names such a measure, with its parameters.
[[nodiscard]] bool is_near_measure(std::string_view typed);
// A number in its shortest form.
[[nodiscard]] std::string written_number(double number);

}  // namespace sosie
