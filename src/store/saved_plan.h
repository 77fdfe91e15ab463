#pragma once

#include "options/settings.h"
#include "plan/plan_file.h"

namespace sosie {

// What a run on texts, sets or bags with this banding leaves for others to be comparable with it.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const Settings& settings,
                                   const BandingPlan& banding);

}  // namespace sosie
