// Plans runs on sets with a cascade: expected pairs and comparisons.
#include <fmt/format.h>

#include "core/count_text.h"
#include "io/output_key.h"
#include "join/sets/set_run.h"
#include "options/output_options.h"
#include "plan/construction.h"
#include "sosie/error.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

std::string about(double count) { return count_text(static_cast<std::uint64_t>(count + 0.5)); }

// Adds lines about the rows of the run, if there are any.
void describe_rows(const CascadeForecast& rows, std::string& out) {
  add_plan_line(out, "candidates", candidates_text(rows.candidates, rows.pairs));
  add_plan_line(out, "checked", fmt::format("about {} bucket collisions", about(rows.bucketed)));
  add_plan_line(
      out, "sample",
      fmt::format("{} pairs, {} of them close enough", about(rows.sampled), about(rows.near)));
  if (const std::string dear = cost_warning(rows); !dear.empty()) add_plan_line(out, "cost", dear);
}

std::string recall_text(const Options& options, const Settings& settings,
                        const std::optional<CascadeForecast>& rows) {
  const auto at_threshold = recall_at_threshold(settings);
  std::string text;
  if (at_threshold) {
    text = fmt::format("{:.4f} at similarity {}", *at_threshold, options.threshold);
  }
  if (rows && rows->near > 0) {
    text += fmt::format("{}{:.4f} of pairs as close as those in the sample",
                        text.empty() ? "" : ", ", rows->recall_of_near);
  }
  return text.empty() ? "depends on the squares two sets share, not on the threshold" : text;
}

// Empty if there are no inputs.
std::optional<CascadeForecast> forecast_of(const Options& options, const RunHooks& hooks) {
  if (options.inputs.empty() && options.files_from.empty() && !options.table) return std::nullopt;
  SetRun run(kPlan, options, hooks);
  check_outputs(run.inputs, options, hooks.result_descriptor);
  run.prepare();
  const CascadeForecast rows = run.cascade->forecast(run.scope());
  require_unchanged(run.inputs);
  return rows;
}

}  // namespace

std::string candidates_text(double candidates, double pairs) {
  return fmt::format("about {} of {} pairs, {:.4g} %", about(candidates), about(pairs),
                     pairs > 0 ? 100 * candidates / pairs : 0);
}

RunPlan plan_of_cascade(const Options& options, const Settings& settings, const RunHooks& hooks) {
  if (is_given(options, "rows")) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"rows"},
                "cannot be combined with --construct");
  }
  const SetCascade& cascade = *settings.cascade;
  const Construction construction = construction_of(cascade.shape);
  const auto rows = forecast_of(options, hooks);
  RunPlan plan;
  add_plan_line(plan.text, "method", cascade_text(cascade));
  add_plan_line(plan.text, "expected recall", recall_text(options, settings, rows));
  const Steepest steepest = steepest_point(construction);
  add_plan_line(plan.text, "half point",
                fmt::format("{:.4f} for one function", half_point(construction)));
  add_plan_line(plan.text, "steepest slope",
                fmt::format("{:.3f} at p = {:.4f}", steepest.slope, steepest.at));
  if (rows) describe_rows(*rows, plan.text);
  plan.brief = {.time = {},
                .memory = {},
                .method = cascade_text(cascade),
                .recall = recall_text(options, settings, rows),
                .why = "set by --construct",
                .next = std::string(kPlanNext)};
  plan.curves = {{"this cascade", construction}};
  plan.words.title =
      "Probability that the cascade finds a pair, by the probability for one function";
  plan.words.axis = "p of one function";
  plan.words.mark = "p at the threshold";
  plan.mark = cascade.squares > 0
                  ? half_point(construction)
                  : cascade.family->collision_probability(1 - settings.threshold.value());
  if (cascade.squares > 0) plan.words.mark = "half point";
  return plan;
}

}  // namespace sosie
