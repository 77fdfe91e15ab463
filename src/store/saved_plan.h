#pragma once

#include "options/bounds.h"
#include "options/settings.h"
#include "plan/lsh_plan.h"
#include "plan/saved_plan.h"

namespace sosie {

// Plan that makes other runs on texts, sets or bags comparable with a run with this banding.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const Settings& settings,
                                   const BandingPlan& banding);

// Plan of a run on vectors, or on bit strings of so many bits.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const ItemBound& bound,
                                   const LshPlan& plan, std::uint64_t bits);

// Options with what the plan says of how rows are seen and compared, where they are silent; as they
// are for a plan of another kind, which who checks the plan refuses.
[[nodiscard]] Options with_plan(const Options& options, const SavedPlan& plan);

}  // namespace sosie
