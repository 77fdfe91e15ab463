#pragma once

#include "plan/saved_plan.h"
#include "sosie/batches.h"

namespace sosie {

// sketch_batch() and verify_batch() of items that are not compared as sets. `options`: with_kind(),
// and with what the plan says.
[[nodiscard]] SketchedBatch sketch_items(const Options& options, const SavedPlan& plan,
                                         const RunHooks& hooks);
[[nodiscard]] VerifiedBatch verify_items(const Options& options, const BatchPairs& pairs,
                                         const RunHooks& hooks);

// Throws Error{invalid_option} for numbers of rows that a batch has not.
void check_pairs(const BatchPairs& pairs, std::uint64_t rows);

}  // namespace sosie
