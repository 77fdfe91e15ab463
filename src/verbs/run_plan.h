#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "options/settings.h"
#include "plan/curve.h"
#include "plan/index_costs.h"
#include "plan/run_costs.h"
#include "plan/saved_plan.h"
#include "sosie/join.h"

namespace sosie {

// Answers to the questions that users ask first, one line each; empty if unknown.
struct PlanBrief {
  std::string time;
  std::string memory;
  std::string method;
  std::string recall;
  std::string why;   // reason for this method
  std::string next;  // an option to try
};

// The answer of `sosie plan` about runs on one kind of items.
struct RunPlan {
  PlanBrief brief;
  std::string text;           // the full answer: lines with a label and a fact
  std::string index_text;     // with --index
  std::vector<Curve> curves;  // empty: no lsh to draw
  double mark = 0;            // position of the dotted line
  PictureText words = {};
  std::optional<SavedPlan> saved;  // nullopt: no lsh plan to save
  PlanForecast forecast = {};      // facts about `saved`
};

// The rows of a run in words, "35 rows in 2.4 MB", and the numbers given by --cores and --machines,
// or 0.
struct PlannedFor {
  PlannedFor(std::string rows, const Options& options);

  std::string rows;
  std::uint64_t cores;
  std::uint64_t machines;
};
// CPU seconds of both verbs in words, "4.2 s of CPU time for 35 rows; with 8 cores: 1.1 s".
[[nodiscard]] std::string time_text(const PlannedFor& run, double dedup, double pairs);
// Costs of both verbs; `dedup`: null if dedup is not applicable.
void tell_costs(PlanBrief& brief, const PlannedFor& run, const RunCosts* dedup,
                const RunCosts& pairs, const Settings& settings);
// "lsh: 20 bands" for both verbs, or one text for each verb if they differ.
[[nodiscard]] std::string of_both_verbs(const std::string& dedup, const std::string& pairs);
inline constexpr std::string_view kPlanNext =
    "--verbose for what each method costs, and the S-curve";
// Adds a line.
void add_plan_line(std::string& text, std::string_view label, const std::string& said);
// Text of a similarity or a distance.
using ShownValue = std::function<std::string(double value)>;
// Adds the lines of a forecast.
void add_forecast_lines(std::string& text, const PlanForecast& forecast, const ShownValue& shown);
// The error area of a banding around a threshold, and the smallest error area for the same number
// of functions.
[[nodiscard]] std::string error_area_text(double area, const LeastErrors& least);
// CPU seconds of a join by each method; infinite: ruled out.
struct MethodSeconds {
  double exact;
  double lsh;
  double brute;
};
// States how much more the other methods cost than the cheapest.
[[nodiscard]] std::string cheapest_text(const MethodSeconds& seconds);
// The time of a run as text: "4.2 s".
[[nodiscard]] std::string seconds_of_run(double seconds);
// Seconds as text: "0.42", "17"; infinity is "ruled out".
[[nodiscard]] std::string seconds_of_method(double seconds);
// The number of pairs found by a cascade, out of all pairs, as text.
[[nodiscard]] std::string candidates_text(double candidates, double pairs);
// Adds the costs of an index of these items, and of up to 10^10 of them.
void add_index_lines(std::string& text, const PlannedIndex& index, const Settings& settings);
// Throws Error{invalid_option}: there are no items from which to plan an index.
[[noreturn]] void refuse_index_of_nothing();
// The vectors, bit strings or strings in the inputs, as items of an index; reads all of them.
// Throws Error if they cannot be indexed, and for a pipe, which could not be reread after the plan.
[[nodiscard]] PlannedIndex planned_items(const Options& options, const RunHooks& hooks);
// Examines the inputs, if any, and checks that outputs are not among them.
using MakeRunPlan = RunPlan (*)(const Options& options, const RunHooks& hooks);
[[nodiscard]] RunPlan plan_of_sets(const Options& options, const RunHooks& hooks);
[[nodiscard]] RunPlan plan_of_cascade(const Options& options, const Settings& settings,
                                      const RunHooks& hooks);
[[nodiscard]] RunPlan plan_of_vectors(const Options& options, const RunHooks& hooks);
[[nodiscard]] RunPlan plan_of_bits(const Options& options, const RunHooks& hooks);
[[nodiscard]] RunPlan plan_of_strings(const Options& options, const RunHooks& hooks);

// sosie plan, for every kind.
RunReport plan_with(MakeRunPlan make, const Options& options, const RunHooks& hooks);

}  // namespace sosie
