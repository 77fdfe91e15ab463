// Plans runs on strings: the join and the reason.
#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "corpus/count_inputs.h"
#include "corpus/items/string_items.h"
#include "join/in_memory_joiner.h"
#include "join/strings/string_join.h"
#include "options/string_settings.h"
#include "sosie/error.h"
#include "verbs/plan/planned_rows.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

std::string lengths_text(const StringColumn& column) {
  std::uint32_t longest = 0;
  for (std::size_t row = 0; row < column.rows(); ++row) {
    longest = std::max(longest, column.length(row));
  }
  const double mean = static_cast<double>(column.starts.back()) /
                      static_cast<double>(std::max<std::size_t>(1, column.rows()));
  return fmt::format("{} of {:.1f} letters on average, at most {}; {} different ones",
                     plural_text(column.rows(), "string", "strings"), mean, longest,
                     count_text(column.alphabet - 1));
}

// Compiled in, see plan/banding_cost.cc: seconds to start; nanoseconds to read a byte, and a row.
constexpr double kStringStartSeconds = 0.01;
constexpr double kStringByteNs = 11;
constexpr double kStringRowNs = 600;

double run_seconds(const ItemPlaces& places, const StringColumn& column,
                   const StringJoinPlan& join) {
  double bytes = 0;
  for (const File& file : places.inputs.files) bytes += static_cast<double>(file.size());
  return kStringStartSeconds +
         (bytes * kStringByteNs + static_cast<double>(column.rows()) * kStringRowNs +
          std::max(0.0, join.nanoseconds)) /
             1e9;
}

std::string pairs_text(const JoinSides& sides) {
  const std::string own = "pairs of " + plural_text(sides.left.size(), "string", "strings");
  return sides.right ? own + " with " + count_text(sides.right->size()) : own;
}

}  // namespace

RunPlan plan_of_strings(const Options& options, const RunHooks& hooks) {
  const StringSettings settings = resolve_strings(options, "plan");
  RunPlan plan;
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    throw Error(ErrorKind::invalid_option, "plan: strings are planned by their lengths",
                "sosie plan INPUT --kind strings --within D");
  }
  ThreadPool pool(settings.run.threads, hooks.cancel);
  ItemPlaces places;
  StringItems items =
      read_strings({options, settings.run, pool, hooks, &places}, settings.form, options.inputs);
  tell_unusual(places.inputs, options, hooks);
  tell_of_mixed_rows(places.inputs, options, hooks);
  erase_strings(items.column, items.left_out);
  const bool across = !options.against.empty() || options.against_table;
  const JoinSides sides = sides_of(places.corpus, items.left_out, across);
  const StringJoinPlan join = plan_join({.column = &items.column,
                                         .sides = sides,
                                         .bound = settings.edits,
                                         .brute = settings.brute,
                                         .facts = settings.bound.facts,
                                         .scratch = places.scratch.get(),
                                         .memory_bytes = settings.run.memory_bytes});
  add_plan_line(plan.text, "method", join.line);
  add_plan_line(plan.text, "because", join.reason);
  add_plan_line(plan.text, "expected recall", "1: every pair is found");
  add_plan_line(plan.text, "rows", lengths_text(items.column));
  add_plan_line(plan.text, "pairs looked at",
                count_text(static_cast<std::uint64_t>(std::min(join.checks, 1e18))));
  add_plan_line(
      plan.text, "join takes",
      fmt::format("{:.2g} CPU seconds, by a sample", std::max(0.0, join.nanoseconds) / 1e9));
  const double seconds = run_seconds(places, items.column, join);
  plan.brief = {.time = time_text({pairs_text(sides), options}, seconds, seconds),
                .memory = {},
                .method = join.line,
                .recall = "1: every pair is found",
                .why = join.reason,
                .next = std::string(kPlanNext)};
  require_unchanged(places.inputs);
  if (options.index) add_index_lines(plan.index_text, planned_items(options, hooks), settings.run);
  return plan;
}

}  // namespace sosie
