// Names of values in files of rules.
#include "options/link_rule_names.h"

#include <fmt/format.h>

#include "verify/measures.h"

namespace sosie {

std::string_view clean_name(FieldClean clean) noexcept { return name_in(kCleans, clean); }
std::string_view assign_name(Assign assign) noexcept { return name_in(kAssigns, assign); }
std::string_view score_method_name(ScoreMethod method) noexcept {
  return name_in(kScoreMethods, method);
}
Assign assign_called(std::string_view name) noexcept { return *value_in(kAssigns, name); }

std::string_view measure_name(FieldMeasure measure) noexcept {
  for (const FieldMeasureName& row : field_measures()) {
    if (row.measure == measure) return row.name;
  }
  return {};
}

std::optional<FieldMeasure> measure_called(std::string_view name) noexcept {
  for (const FieldMeasureName& row : field_measures()) {
    if (row.name == name) return row.measure;
  }
  return std::nullopt;
}

std::vector<std::string_view> near_measure_names() {
  std::vector<std::string_view> names = {NearMeasure::kTfidf};
  for (const MeasureRow& row : measure_table()) {
    if (has_any(row.kinds, kTextItems | kStringItems)) names.push_back(row.name);
  }
  return names;
}

bool is_near_measure(std::string_view typed) {
  return typed == NearMeasure::kTfidf || set_measure(typed, kTextItems).has_value() ||
         string_measure(typed).has_value();
}

std::string written_number(double number) { return fmt::format("{}", number); }

}  // namespace sosie
