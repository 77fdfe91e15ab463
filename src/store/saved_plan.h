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

// Plan of a run on vectors, or on bit strings with this number of bits.
[[nodiscard]] SavedPlan saved_plan(const Options& options, const ItemBound& bound,
                                   const LshPlan& plan, std::uint64_t bits);

// The options, with options for reading and comparing rows taken from the plan unless they are
// given. Unchanged for a plan of another kind, which is rejected when the plan is checked.
[[nodiscard]] Options with_plan(const Options& options, const SavedPlan& plan);

// The options with the threshold or distance of the plan that --plan names, unless they have one
// already or sketches supply another plan. Unchanged if the plan comes from a pipe, which only the
// run itself can read. Throws as load_plan() does.
[[nodiscard]] Options with_bound_of_plan(const Options& options, const std::atomic<bool>* cancel);

// Requirements of a run on vectors or bit strings for its plan.
struct PlanRequirements {
  const Options& options;
  const ItemBound& bound;
  const LshSettings& lsh;
  std::size_t bits = 0;  // length of bit strings; 0: vectors, or no items
};

// The plan for a run, from its sketches or --plan; nullopt if the run makes its own plan. Stops
// waiting for a pipe if *cancel becomes true. Throws Error{invalid_option} with both values for a
// plan with different requirements, Error{malformed_input} for a plan that the planner cannot have
// made, and as load_plan() does.
[[nodiscard]] std::optional<LshPlan> plan_of_run(const PlanRequirements& asked,
                                                 const std::atomic<bool>* cancel);

// Checks a plan that was read; `name`: name of the plan in messages.
[[nodiscard]] LshPlan checked_plan(const SavedPlan& saved, const std::string& name,
                                   const PlanRequirements& asked);

}  // namespace sosie
