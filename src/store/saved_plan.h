#pragma once

#include "options/bounds.h"
#include "options/settings.h"
#include "plan/lsh_plan.h"
#include "plan/plan_file.h"

namespace sosie {

// Plan that makes other runs on texts, sets or bags comparable with a run with this banding.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const Settings& settings,
                                   const BandingPlan& banding);

// Plan of a run on vectors, or on bit strings of so many bits.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const ItemBound& bound,
                                   const LshPlan& plan, std::uint64_t bits);

}  // namespace sosie
