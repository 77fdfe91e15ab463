// Splits a plan into fields, to name the one that differs from another plan.
#include "plan/plan_fields.h"

#include <string_view>

namespace sosie {

std::vector<std::pair<std::string, std::string>> plan_fields(const SavedPlan& plan) {
  constexpr std::string_view kBehindName = "\": ";
  std::vector<std::pair<std::string, std::string>> fields;
  const std::string text = plan_to_json(plan);  // a field a line
  for (std::size_t end = 0, at = text.find('"'); at != std::string::npos;
       at = text.find('"', end)) {
    end = text.find('\n', at);
    std::string_view line = std::string_view(text).substr(at + 1, end - at - 1);
    if (line.ends_with(',')) line.remove_suffix(1);
    const std::size_t colon = line.find(kBehindName);
    fields.emplace_back(line.substr(0, colon), line.substr(colon + kBehindName.size()));
  }
  return fields;
}

}  // namespace sosie
