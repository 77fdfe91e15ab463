// Parts shared by the forecasts of vectors and of bit strings.
#include "plan/lsh_forecast.h"

#include <algorithm>

namespace sosie {

void plan_lsh(LshForecast& forecast, const HashFamily& family, double rows,
              const std::optional<LshPlan>& taken) {
  LshTask& task = forecast.task;
  task.sample = forecast.sample;
  forecast.plan = taken ? forecast_lsh(task, *taken) : find_lsh(task);
  task.sample = {};
  if (!forecast.plan) return;
  forecast.plan->family = &family;
  forecast.lsh_ns = forecast.plan->cost * rows;
}

const LshPlan& require_plan(const LshForecast& forecast) {
  if (!forecast.plan) refuse_lsh(forecast.task);
  return *forecast.plan;
}

double part_within(const std::vector<double>& distances, double bound) noexcept {
  const auto near = std::count_if(distances.begin(), distances.end(),
                                  [&](double distance) { return distance <= bound; });
  return static_cast<double>(near) / std::max(1.0, static_cast<double>(distances.size()));
}

}  // namespace sosie
