// sosie plan: reports the planned run and its reasons, draws the curve, and saves the plan.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/count_text.h"
#include "core/size_text.h"
#include "io/output_file.h"
#include "join/sets/set_run.h"
#include "options/bounds.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

// Share of a run that is single-threaded, measured by bench/parallel.py for `dedup` on 190 MB of
// short rows.
constexpr double kSerialShare = 0.11;

}  // namespace

void add_plan_line(std::string& text, std::string_view label, const std::string& said) {
  text += fmt::format("{:<18}{}\n", label, said);
}

std::string of_both_verbs(const std::string& dedup, const std::string& pairs) {
  return dedup == pairs ? pairs : fmt::format("dedup {}; pairs, query {}", dedup, pairs);
}

PlannedFor::PlannedFor(std::string rows_in_words, const Options& options)
    : rows(std::move(rows_in_words)) {
  const auto count = [&](std::string_view name) -> std::uint64_t {
    const std::string value = given_value(options, name);
    return value.empty() ? 0 : std::stoull(value);
  };
  cores = count("cores");
  machines = count("machines");
}

std::string time_text(const PlannedFor& run, double dedup, double pairs) {
  const auto times = [&](double factor) {
    return of_both_verbs(seconds_of_run(factor * dedup), seconds_of_run(factor * pairs));
  };
  std::string text = fmt::format("{} of CPU time for {}", times(1), run.rows);
  if (run.cores > 0) {
    text += fmt::format("; with {}: {}", plural_text(run.cores, "core", "cores"),
                        times(kSerialShare + (1 - kSerialShare) / static_cast<double>(run.cores)));
  }
  return text;
}

namespace {

// Seconds of `dedup --part` on several machines, each of which first sketches rows, followed by
// `--parts` on one machine. A part and the final run take these shares of a run over sketches
// (docs/measurements.md, Parts).
double seconds_in_parts(const RunCosts& dedup, double machines, double cores) {
  constexpr double kPart = 0.026;
  constexpr double kMatching = 0.744;
  constexpr double kLastRun = 0.48;
  const double rest = std::max(0.0, dedup.cpu_seconds - dedup.sketch_seconds);
  const double stages =
      dedup.sketch_seconds / machines + rest * (kPart + kMatching / machines + kLastRun);
  return stages * (kSerialShare + (1 - kSerialShare) / cores);
}

// Empty without --machines. Throws if dedup cannot be matched in parts.
std::string machines_text(const PlannedFor& run, const RunCosts& dedup) {
  if (run.machines == 0) return {};
  if (dedup.sketch_seconds == 0) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"machines", std::to_string(run.machines)},
                "only lsh runs can be matched in parts", "add --method lsh");
  }
  const std::uint64_t cores = std::max<std::uint64_t>(1, run.cores);
  const double seconds =
      seconds_in_parts(dedup, static_cast<double>(run.machines), static_cast<double>(cores));
  return fmt::format("; dedup in parts on {} of {}: {}",
                     plural_text(run.machines, "machine", "machines"),
                     plural_text(cores, "core", "cores"), seconds_of_run(seconds));
}

}  // namespace

void tell_costs(PlanBrief& brief, const PlannedFor& run, const RunCosts* dedup,
                const RunCosts& pairs, const Settings& settings) {
  const auto scratch = [](const RunCosts& costs) {
    return costs.scratch_bytes == 0 ? std::string("none") : bytes_text(costs.scratch_bytes);
  };
  const RunCosts& first = dedup != nullptr ? *dedup : pairs;
  brief.time = time_text(run, first.cpu_seconds, pairs.cpu_seconds) + machines_text(run, first);
  brief.memory =
      fmt::format("{} of {}; scratch: {}",
                  of_both_verbs(bytes_text(first.peak_bytes), bytes_text(pairs.peak_bytes)),
                  limit_text(settings.memory_bytes), of_both_verbs(scratch(first), scratch(pairs)));
}

std::string cheapest_text(const MethodSeconds& seconds) {
  std::array<std::pair<std::string_view, double>, 3> methods = {
      {{"exact", seconds.exact}, {"lsh", seconds.lsh}, {"brute", seconds.brute}}};
  std::sort(methods.begin(), methods.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string text;
  for (std::size_t i = 1; i < methods.size(); ++i) {
    const double times = methods[i].second / methods.front().second;
    text += fmt::format(
        "{}{}{}", i == 1 ? "" : ", ", methods[i].first,
        std::isinf(times) || times >= 1000
            ? (i == 1 ? " would cost far more" : " far more")
            : fmt::format("{}{:.2g} times as much", i == 1 ? " would cost " : " ", times));
  }
  return text;
}

std::string seconds_of_run(double seconds) {
  constexpr double kLeast = 0.1;
  constexpr double kHour = 3600;
  if (seconds >= 3 * kHour) {
    return fmt::format("{} h", seconds < 100 * kHour
                                   ? fmt::format("{:.1f}", seconds / kHour)
                                   : count_text(static_cast<std::uint64_t>(seconds / kHour)));
  }
  if (seconds < kLeast) return fmt::format("less than {} s", kLeast);
  return seconds < 10 ? fmt::format("{:.2g} s", seconds)
                      : count_text(static_cast<std::uint64_t>(seconds + 0.5)) + " s";
}

std::string seconds_of_method(double seconds) {
  if (std::isinf(seconds)) return "ruled out";
  return seconds < 10 ? fmt::format("{:.2g}", seconds) : fmt::format("{:.0f}", seconds);
}

std::string error_area_text(double area, const LeastErrors& least) {
  const auto count = [](int number, std::string_view one, std::string_view many) {
    return plural_text(static_cast<std::uint64_t>(number), one, many);
  };
  return fmt::format("{:.5f}; the lowest for {} is {:.5f}, with {} of {}", area,
                     count(least.bands * least.rows, "function", "functions"), least.area,
                     count(least.bands, "band", "bands"), count(least.rows, "row", "rows"));
}

void add_forecast_lines(std::string& text, const PlanForecast& forecast, const ShownValue& shown) {
  add_plan_line(text, "half point",
                fmt::format("{}; by (1/b)^(1/r): {}", shown(forecast.half_point),
                            shown(forecast.approximate_half_point)));
  add_plan_line(text, "error area", error_area_text(forecast.error_area, forecast.least_errors));
  if (forecast.brute_pairs <= 0) return;
  add_plan_line(text, "brute force",
                fmt::format("{}{} pairs to compare, {} CPU seconds",
                            forecast.rows_are_counted ? "" : "about ",
                            forecast.brute_pairs < kMostCounted
                                ? count_text(static_cast<std::uint64_t>(forecast.brute_pairs))
                                : fmt::format("{:.1e}", forecast.brute_pairs),
                            seconds_of_method(forecast.brute_seconds)));
}

namespace {

std::string brief_text(const PlanBrief& brief) {
  std::string text;
  for (const auto& [label, said] : {std::pair{"time", &brief.time},
                                    {"memory", &brief.memory},
                                    {"method", &brief.method},
                                    {"recall", &brief.recall},
                                    {"why", &brief.why},
                                    {"try", &brief.next}}) {
    if (!said->empty()) text += fmt::format("{:<10}{}\n", label, *said);
  }
  return text;
}

// Throws if a requested file exists only for lsh plans.
void refuse_outputs(const Options& options, const RunPlan& plan) {
  if (!options.output.empty() && !plan.saved && !plan.curves.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"output", options.output},
                "a plan file holds bands and rows, not a cascade",
                "give --construct to the runs themselves");
  }
  for (const auto& [name, path] : {std::pair{"-o", options.output}, {"--svg", options.svg}}) {
    if (path.empty() || !plan.curves.empty()) continue;
    throw Error(
        ErrorKind::invalid_option,
        fmt::format("{} {}: the plan does not use lsh, so there is nothing to write", name, path),
        "use --method lsh, if the measure supports it");
  }
}

}  // namespace

RunReport plan_with(MakeRunPlan make, const Options& options, const RunHooks& hooks) {
  // A run's command line may name its rows here; a plan must not overwrite them.
  check_output_name("-o", options.output, "a plan", {".json", ".txt"});
  check_output_name("--svg", options.svg, "the picture", {".svg"});
  check_outputs(std::span<const std::string>(), options);
  const RunPlan plan = make(options, hooks);
  if (!plan.saved) refuse_outputs(options, plan);
  for (const std::string name : {"cores", "machines"}) {
    if (!is_given(options, name) || !plan.brief.time.empty()) continue;
    throw Error(ErrorKind::invalid_option, RefusedOption{name},
                "without rows there is no time to predict",
                fmt::format("sosie plan INPUT --{} N", name));
  }
  RunReport report;
  report.summary = options.verbose ? plan.text : brief_text(plan.brief);
  if (options.verbose && (is_given(options, "cores") || is_given(options, "machines"))) {
    add_plan_line(report.summary, "time", plan.brief.time);
  }
  if (options.verbose && !plan.curves.empty()) {
    report.summary += "\n" + draw_terminal(plan.curves, plan.mark, {}, plan.words);
  }
  report.summary += plan.index_text;
  std::optional<OutputFile> svg;
  if (!options.svg.empty() && !plan.curves.empty()) {
    svg.emplace(options.svg);
    svg->write(draw_svg(plan.curves, plan.mark, plan.words));
    svg->finish();
  }
  if (!options.output.empty() && plan.saved) {
    OutputFile saved(options.output);
    saved.write(plan_to_json(*plan.saved, &plan.forecast));
    saved.commit();
  }
  if (svg) svg->commit();
  return report;
}

}  // namespace sosie
