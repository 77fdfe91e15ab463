#pragma once

#include <optional>

#include "core/thread_pool.h"
#include "data/columns.h"
#include "join/scored_pairs.h"
#include "options/vector_settings.h"
#include "plan/lsh_forecast.h"

namespace sosie {

// Fewer comparisons a row than this are made exactly without thinking of hashes.
[[nodiscard]] bool is_worth_planning(const JoinSides& sides) noexcept;

// Forecast for the pairs of `sides`, from a sample drawn with the seed; a column without rows, of
// some dimension, is planned for by assumptions. `rows`: all of a column. `taken`: a plan that was
// made before.
[[nodiscard]] LshForecast forecast_vectors(const VectorSubset& rows, const JoinSides& sides,
                                           const VectorSettings& settings, ThreadPool& pool,
                                           const std::optional<LshPlan>& taken = {});

}  // namespace sosie
