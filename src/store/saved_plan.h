#pragma once

#include "options/bounds.h"
#include "options/settings.h"
#include "plan/lsh_plan.h"
#include "plan/plan_file.h"

namespace sosie {

// What a run on texts, sets or bags with this banding leaves for others to be comparable with it.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const Settings& settings,
                                   const BandingPlan& banding);

// The same of a run on vectors, or on bit strings of so many bits.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const MeasuredBound& bound,
                                   const LshPlan& plan, std::uint64_t bits);

}  // namespace sosie
