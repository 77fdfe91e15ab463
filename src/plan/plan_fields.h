#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/saved_plan.h"

namespace sosie {

// The fields of a plan as its file has them, in order: names, and values as JSON.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_fields(const SavedPlan& plan);

}  // namespace sosie
