// sosie plan: what a run would do, and why; drawn, and saved for runs that take it.
#include <fmt/format.h>

#include <cmath>

#include "io/output_file.h"
#include "join/run.h"
#include "options/output_names.h"
#include "sosie/error.h"
#include "verbs/run_plan.h"

namespace sosie {

void add_plan_line(std::string& text, std::string_view label, const std::string& said) {
  text += fmt::format("{:<18}{}\n", label, said);
}

std::string seconds_of_method(double seconds) {
  if (std::isinf(seconds)) return "not taken";
  return seconds < 10 ? fmt::format("{:.2g}", seconds) : fmt::format("{:.0f}", seconds);
}

namespace {

// Throws where a file was asked for that only a plan of lsh has.
void refuse_outputs(const Options& options, const RunPlan& plan) {
  if (!options.output.empty() && !plan.saved && !plan.curves.empty()) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"output", options.output},
                "a plan file holds bands and rows, not a cascade",
                "give --construct to the runs themselves");
  }
  for (const auto& [name, path] : {std::pair{"-o", options.output}, {"--svg", options.svg}}) {
    if (path.empty() || !plan.curves.empty()) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{} {}: there is no lsh to plan, so nothing to write", name, path),
                "say --method lsh for its plan, where the measure has one");
  }
}

}  // namespace

RunReport plan_with(MakeRunPlan make, const Options& options, const RunHooks& hooks) {
  check_json_name("-o", options.output, "a plan");
  check_output_name("--svg", options.svg, "the picture", {".svg"});
  check_outputs(std::vector<std::string>{}, {options.output, options.svg});
  const RunPlan plan = make(options, hooks);
  if (!plan.saved) refuse_outputs(options, plan);
  RunReport report;
  report.summary = plan.text;
  if (!plan.curves.empty()) {
    report.summary += "\n" + draw_terminal(plan.curves, plan.mark, {}, plan.words);
  }
  std::optional<OutputFile> svg;
  if (!options.svg.empty() && !plan.curves.empty()) {
    svg.emplace(options.svg);
    svg->write(draw_svg(plan.curves, plan.mark, plan.words));
    svg->finish();
  }
  if (!options.output.empty() && plan.saved) {
    OutputFile saved(options.output);
    saved.write(plan_to_json(*plan.saved));
    saved.commit();
  }
  if (svg) svg->commit();
  return report;
}

}  // namespace sosie
