// Plans runs on strings: the join and the reason for it.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "core/count_text.h"
#include "core/memory_budget.h"
#include "core/size_text.h"
#include "corpus/count_inputs.h"
#include "corpus/items/string_items.h"
#include "join/in_memory_joiner.h"
#include "join/strings/string_join.h"
#include "options/string_settings.h"
#include "plan/run_costs.h"
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
  return fmt::format("{} of {:.1f} characters on average, at most {}; {} different ones",
                     plural_text(column.rows(), "string", "strings"), mean, longest,
                     count_text(column.alphabet - 1));
}

// Measured constants (see plan/banding_cost.cc): seconds to start; nanoseconds to read a byte and
// to read a row.
constexpr double kStringStartSeconds = 0.01;
constexpr double kStringByteNs = 11;
constexpr double kStringRowNs = 600;

// Memory: bytes of the program, and of each string in the column and in sorted order; number of
// forms in which a symbol and a byte of the file are stored. Then what dedup adds per string and
// per byte of the file.
constexpr double kStringProgramBytes = 10e6;
constexpr double kStringRowBytes = 32;
constexpr double kSymbolForms = 2;
constexpr double kFileForms = 0.4;
constexpr double kDedupStringBytes = 55;
constexpr double kDedupFileForms = 1;

double distinct_strings(const StringColumn& column) {
  std::vector<std::uint64_t> hashes(column.rows());
  for (std::size_t row = 0; row < column.rows(); ++row) {
    const SymbolSpan string = column.row(row);
    const std::string_view bytes(reinterpret_cast<const char*>(string.data),
                                 std::size_t{string.length} * string.width);
    hashes[row] = std::hash<std::string_view>{}(bytes);
  }
  std::sort(hashes.begin(), hashes.end());
  return static_cast<double>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
}

PlannedCosts costs_of(const ItemPlaces& places, const StringColumn& column,
                      const StringJoinPlan& join, const Settings& settings) {
  const auto bytes = static_cast<double>(bytes_of_inputs(places.inputs));
  const auto rows = static_cast<double>(column.rows());
  const double seconds =
      kStringStartSeconds +
      (bytes * kStringByteNs + rows * kStringRowNs + std::max(0.0, join.nanoseconds)) / 1e9;
  const double column_bytes = kStringProgramBytes + rows * kStringRowBytes +
                              static_cast<double>(column.symbols.size()) * kSymbolForms +
                              bytes * kFileForms + join.key_bytes;
  // Equal strings are joined only once.
  const double distinct = distinct_strings(column) / std::max(1.0, rows);
  const double found = join.found * distinct * distinct * sizeof(ScoredPair);
  const auto most_found = static_cast<double>(MemoryBudget{settings.memory_bytes}.sorts());
  PlannedCosts costs;
  costs.dedup.cpu_seconds = costs.pairs.cpu_seconds = seconds;
  costs.dedup.peak_bytes =
      static_cast<std::uint64_t>(column_bytes + rows * kDedupStringBytes + bytes * kDedupFileForms);
  costs.pairs.peak_bytes = static_cast<std::uint64_t>(column_bytes + std::min(found, most_found));
  if (found > most_found) {
    costs.pairs.scratch_bytes = static_cast<std::uint64_t>(std::min(found, kMostOfSurvey));
  }
  return costs;
}

std::string pairs_text(const JoinSides& sides) {
  const std::string own = "pairs of " + plural_text(sides.left.size(), "string", "strings");
  return sides.right ? own + " with " + count_text(sides.right->size()) : own;
}

}  // namespace

RunPlan plan_of_strings(const Options& options, const RunHooks& hooks) {
  const StringSettings settings = resolve_strings(options, kPlan);
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
  add_plan_line(plan.text, "strings", lengths_text(items.column));
  add_plan_line(plan.text, "pairs looked at",
                count_text(static_cast<std::uint64_t>(std::min(join.checks, 1e18))));
  add_plan_line(plan.text, "join takes",
                fmt::format("{:.2g} CPU seconds, estimated from a sample",
                            std::max(0.0, join.nanoseconds) / 1e9));
  const PlannedCosts costs = costs_of(places, items.column, join, settings.run);
  add_plan_line(plan.text, "rows",
                fmt::format("{} in {}", count_text(places.corpus.rows),
                            bytes_text(bytes_of_inputs(places.inputs))));
  add_plan_line(plan.text, "dedup takes", costs_text(costs.dedup));
  add_plan_line(plan.text, "pairs takes", costs_text(costs.pairs));
  add_plan_line(plan.text, "", costs_note(settings.run));
  plan.brief = {.time = {},
                .memory = {},
                .method = join.line,
                .recall = "1: every pair is found",
                .why = join.reason,
                .next = std::string(kPlanNext)};
  tell_costs(plan.brief, {pairs_text(sides), options}, &costs.dedup, costs.pairs, settings.run);
  require_unchanged(places.inputs);
  if (options.index) add_index_lines(plan.index_text, planned_items(options, hooks), settings.run);
  return plan;
}

}  // namespace sosie
