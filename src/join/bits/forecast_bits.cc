// Forecasts hashing and exact joins of bit strings from a sample of their pairs.
#include "join/bits/forecast_bits.h"

#include <algorithm>

#include "core/mix64.h"

namespace sosie {
namespace {

constexpr std::size_t kSampledPairs = std::size_t{1} << 17;
constexpr std::size_t kLeastRows = 4096;  // fewer are compared without thinking of hashes
constexpr double kUnrelated = 0.5;        // part of the places in which strings differ by chance

// Compiled in, see plan/banding_cost.cc: nanoseconds to take a bit, and to measure a pair.
constexpr double kBitNs = 1.5;
constexpr double kPairNs = 60;

// Calls each(counts) for pairs drawn with the seed.
template <typename Each>
void for_each_drawn(const BitJoinTask& task, std::uint64_t seed, const Each& each) {
  if (task.sides.is_nothing()) return;
  const BitColumn& column = *task.column;
  const RowRange lefts = task.sides.left;
  const RowRange rights = task.sides.right.value_or(lefts);
  for (std::size_t i = 0; i < kSampledPairs; ++i) {
    const std::size_t left = lefts.begin + random64(seed, i) % lefts.size();
    const std::size_t right = rights.begin + random64(~seed, i) % rights.size();
    if (left == right) continue;
    each(count_bits(column.row(left), column.row(right), column.words));
  }
}

}  // namespace

bool is_worth_planning(const BitColumn& column, const BitSettings& settings) noexcept {
  return column.rows >= kLeastRows &&
         2 * settings.bound.bound.value() < static_cast<double>(column.bits);
}

LshForecast forecast_bits(const BitJoinTask& join, const BitSettings& settings,
                          const std::optional<LshPlan>& taken) {
  const BitColumn& column = *join.column;
  const auto bits = static_cast<double>(column.bits);
  const double rows = column.rows == 0 ? 2 * kAssumedPartners : static_cast<double>(column.rows);
  LshForecast forecast;
  LshTask& task = forecast.task;
  task.measure = settings.measure->name;
  if (column.bits > 0) task.bound = std::min(1.0, settings.bound.bound.value() / bits);
  task.recall = settings.lsh.recall;
  task.pairs_an_item = column.rows == 0 ? kAssumedPartners : join.sides.partners();
  task.costs = {kBitNs, kPairNs};
  task.fixed = settings.lsh.fixed;
  double near = 0;
  for_each_drawn(join, settings.run.seed, [&](const BitCounts& counts) {
    // Distances are parts of the positions.
    forecast.sample.push_back(static_cast<double>(counts.different()) / bits);
    near += settings.measure->reaches(counts, settings.bound.bound) ? 1 : 0;
  });
  near /= std::max(1.0, static_cast<double>(forecast.sample.size()));
  if (column.rows == 0) forecast.sample = {kUnrelated};
  if (const HashFamily* family = taken ? taken->family : settings.lsh.family) {
    task.collision = family->collision_probability;
    plan_lsh(forecast, *family, rows, taken);
  }
  const JoinCosts costs = costs_of_joins(join);
  forecast.exact_ns = costs.index;
  forecast.brute_ns = costs.scan;
  forecast.expected_pairs =
      near * static_cast<double>(join.sides.left.size()) * join.sides.partners();
  return forecast;
}

}  // namespace sosie
