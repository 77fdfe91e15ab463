#pragma once

#include <optional>

#include "core/thread_pool.h"
#include "join/bits/bit_join.h"
#include "options/bit_settings.h"
#include "plan/lsh_forecast.h"

namespace sosie {

// True if hashing may pay where no option requires it: not for few rows, nor for bounds beyond half
// of the positions, where most strings are near and no construction tells them apart.
[[nodiscard]] bool is_worth_planning(const BitColumn& column, const BitSettings& settings) noexcept;

// Forecast for the pairs of a task, from a sample drawn with the seed; a column without rows, of
// some length, is planned for by assumptions. `taken`: a plan that was made before.
[[nodiscard]] LshForecast forecast_bits(const BitJoinTask& join, const BitSettings& settings,
                                        const std::optional<LshPlan>& taken = {});

}  // namespace sosie
