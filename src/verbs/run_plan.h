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

// Answers to the first questions of a user, a line each; an empty one is not known.
struct PlanBrief {
  std::string time;
  std::string memory;
  std::string method;
  std::string recall;
  std::string why;   // this method
  std::string next;  // an option to try
};

// Answer of `sosie plan` about runs on items of one kind.
struct RunPlan {
  PlanBrief brief;
  std::string text;           // all there is to say: lines of a label and a fact
  std::string index_text;     // with --index
  std::vector<Curve> curves;  // empty: no lsh to draw
  double mark = 0;            // place of the dotted line
  PictureText words = {};
  std::optional<SavedPlan> saved;  // nothing: no lsh to save
  PlanForecast forecast = {};      // facts about `saved`
};

// Rows of a run in words, "35 rows in 2.4 MB", and what it runs on: --cores and --machines; 0: not
// said.
struct PlannedFor {
  PlannedFor(std::string rows, const Options& options);

  std::string rows;
  std::uint64_t cores;
  std::uint64_t machines;
};
// CPU seconds of both verbs in words, "4.2 s of CPU time for 35 rows; with 8 cores: 1.1 s".
[[nodiscard]] std::string time_text(const PlannedFor& run, double dedup, double pairs);
// Costs of both verbs; `dedup`: null where there is no dedup.
void tell_costs(PlanBrief& brief, const PlannedFor& run, const RunCosts* dedup,
                const RunCosts& pairs, const Settings& settings);
// "lsh: 20 bands", or of each verb its own.
[[nodiscard]] std::string of_both_verbs(const std::string& dedup, const std::string& pairs);
inline constexpr std::string_view kPlanNext =
    "--verbose for what each method costs, and the S-curve";
// Adds a line.
void add_plan_line(std::string& text, std::string_view label, const std::string& said);
// Text of a similarity or a distance.
using ShownValue = std::function<std::string(double value)>;
// Adds the lines of a forecast.
void add_forecast_lines(std::string& text, const PlanForecast& forecast, const ShownValue& shown);
// The area of errors of a banding about a threshold, and the least of as many functions.
[[nodiscard]] std::string error_area_text(double area, const LeastErrors& least);
// CPU seconds of a join by each method; infinite: not in question.
struct MethodSeconds {
  double exact;
  double lsh;
  double brute;
};
// Text of how much more the others cost than the cheapest.
[[nodiscard]] std::string cheapest_text(const MethodSeconds& seconds);
// Text of what a run takes: "4.2 s".
[[nodiscard]] std::string seconds_of_run(double seconds);
// Text of seconds: "0.42", "17"; of infinity "not taken".
[[nodiscard]] std::string seconds_of_method(double seconds);
// Text of the pairs that a cascade finds, of all there are.
[[nodiscard]] std::string candidates_text(double candidates, double pairs);
// Adds what an index of these items would take, and of up to 10^10 of them.
void add_index_lines(std::string& text, const PlannedIndex& index, const Settings& settings);
// Throws Error{invalid_option}: there is no item to plan an index by.
[[noreturn]] void refuse_index_of_nothing();
// Vectors, bit strings or strings of the inputs as items of an index; reads all of them. Throws
// Error where an index of them cannot be built, and for a pipe, which the plan could not read
// again.
[[nodiscard]] PlannedIndex planned_items(const Options& options, const RunHooks& hooks);
// Looks at the inputs, which may be none, and checks that outputs are none of these.
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
