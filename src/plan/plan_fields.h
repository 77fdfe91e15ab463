#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/saved_plan.h"

namespace sosie {

// The fields of a plan in the order of its file: names, and values as JSON.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_fields(const SavedPlan& plan);

}  // namespace sosie
