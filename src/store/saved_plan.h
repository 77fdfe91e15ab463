#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include "options/bounds.h"
#include "options/lsh_settings.h"
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

// Options with the threshold or distance of the plan that --plan names, where they have none and no
// sketches bring another plan; as they are for a pipe, which can be read only once, by the run.
// Throws as load_plan() does.
[[nodiscard]] Options with_bound_of_plan(const Options& options, const std::atomic<bool>* cancel);

// Requirements of a run on vectors or bit strings for its plan.
struct PlanRequirements {
  const Options& options;
  const ItemBound& bound;
  const LshSettings& lsh;
  std::size_t bits = 0;  // length of bit strings; 0: vectors, or no items
};

// The plan that the run takes: that of its sketches, or of --plan; nothing where it plans for
// itself. Waiting for a pipe ends when *cancel becomes true. Throws Error{invalid_option} with both
// values for a plan that was made for something else, Error{malformed_input} for one that nobody
// planned, and as load_plan() does.
[[nodiscard]] std::optional<LshPlan> plan_of_run(const PlanRequirements& asked,
                                                 const std::atomic<bool>* cancel);

// Checks a plan that was read; `name` is what messages call it.
[[nodiscard]] LshPlan checked_plan(const SavedPlan& saved, const std::string& name,
                                   const PlanRequirements& asked);

}  // namespace sosie
