#pragma once

#include "pipeline/corpus.h"

namespace sosie {

// Similarities within the first 32 MiB of rows, for the planner: up to 2,048 rows drawn by
// hash(seed, row), all their pairs estimated from signatures. Depends on the rows in order only,
// not on how they are spread over files.
[[nodiscard]] SampleFacts draw_sample(const Inputs& inputs, const Settings& settings);

// The banding a run uses: the user's, the saved plan's, or the planner's for these inputs. Waiting
// for a plan from a pipe ends when *cancel becomes true.
[[nodiscard]] BandingPlan banding_for(const Options& options, const Settings& settings,
                                      const Inputs& inputs, const std::atomic<bool>* cancel);

}  // namespace sosie
