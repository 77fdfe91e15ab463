// Predicts the cost of runs on given rows, for `sosie plan`.
#include "verbs/plan/planned_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "core/memory_budget.h"
#include "core/size_text.h"
#include "corpus/rows/survey.h"
#include "io/packed_file.h"
#include "options/bounds.h"
#include "options/tells.h"
#include "plan/find_banding.h"
#include "plan/run_costs.h"
#include "report/dedup_outputs.h"
#include "sosie/error.h"
#include "store/index_options.h"
#include "verbs/run_plan.h"

namespace sosie {
namespace {

double join_seconds(const PlannedRows& rows, const MethodChoice& choice, const Settings& settings,
                    JoinUse use) {
  const SetCosts costs = costs_of_every_method(rows.facts_for(use), rows.sample.similarities,
                                               {settings.threshold, use, {}});
  return choice.exact ? costs.exact : costs.brute;
}

RunCosts costs_of(const PlannedRows& rows, const MethodChoice& choice, const Options& options,
                  const Settings& settings, JoinUse use) {
  PlannedRun run;
  run.method = choice.method();
  run.banding = choice.banding;
  run.threshold = settings.threshold;
  run.use = use;
  run.by_characters = settings.shingle.unit == ShingleUnit::chars;
  run.chooses_method = is_method_open(options, settings);
  run.may_spill = rows.survey.rows > kFewRows;
  if (choice.finds_every_pair()) run.join_seconds = join_seconds(rows, choice, settings, use);
  if (choice.exact) run.partners = rows.facts_for(use).partners;
  run.memory_bytes = settings.memory_bytes;
  return run_costs(rows.survey, run);
}

// Files that fit are kept in memory while they are read. Otherwise, all files are decompressed
// three times: for the scan, for the compared rows (which occur in most blocks), and for the output
// rows.
void add_unpacking(const Inputs& inputs, const Settings& settings, RowSurvey& survey) {
  std::uint64_t gzip = 0;
  std::uint64_t zstd = 0;
  for (const File& file : inputs.files) {
    survey.stored_bytes += file.packed() == nullptr ? file.size() : file.packed()->packed_size();
    if (file.packed() == nullptr) continue;
    (file.packed()->compression() == Compression::gzip ? gzip : zstd) += file.size();
  }
  const std::uint64_t kept = MemoryBudget{settings.memory_bytes}.unpacked();
  const std::uint64_t passes = gzip + zstd <= kept ? 1 : 3;
  survey.gunzipped_bytes = passes * gzip;
  survey.unzstd_bytes = passes * zstd;
  if (gzip + zstd == 0) return;
  constexpr std::uint64_t kPieces = std::uint64_t{6} << 20;  // most recently decompressed pieces
  constexpr std::uint64_t kDecoder = std::uint64_t{1} << 20;
  survey.kept_bytes = std::min(kept, gzip + zstd) + std::min(kPieces, survey.bytes) + kDecoder;
  if (passes > 1) survey.unkept_bytes = gzip + zstd - kept;
}

}  // namespace

std::string costs_text(const RunCosts& costs) {
  return fmt::format("{}, {} of memory, {}", seconds_of_run(costs.cpu_seconds),
                     bytes_text(costs.peak_bytes),
                     costs.scratch_bytes == 0 ? std::string("no scratch")
                                              : bytes_text(costs.scratch_bytes) + " of scratch");
}

std::string costs_note(const Settings& settings) {
  return fmt::format("(on a processor that computes md5 at {} MB/s, with --memory {})",
                     kMegabytesOfMd5, limit_text(settings.memory_bytes));
}

namespace {

// "0.42 s", "17 s", "3.2 h".
std::string seconds_of_phase(double seconds) {
  return seconds < 10 ? fmt::format("{:.2f} s", seconds) : seconds_of_run(seconds);
}

// Stages of dedup; the costs above are their sums or maxima.
std::string phases_table(const RunCosts& costs) {
  const auto bytes = [](double amount) {
    return bytes_text(static_cast<std::uint64_t>(std::min(kMostOfSurvey, amount)));
  };
  std::string out = fmt::format("{:<18}{:>10}{:>12}{:>12}{:>12}{:>12}\n", "dedup by phase",
                                "CPU time", "read", "written", "memory", "scratch");
  for (std::size_t i = 0; i < kRunPhases.size(); ++i) {
    const PhaseCosts& phase = costs.phases[i];
    out += fmt::format("  {:<16}{:>10}{:>12}{:>12}{:>12}{:>12}\n", kRunPhases[i],
                       seconds_of_phase(phase.cpu_seconds), bytes(phase.read_bytes),
                       bytes(phase.written_bytes), bytes(phase.peak_bytes),
                       bytes(phase.scratch_bytes));
  }
  return out;
}

}  // namespace

void tell_of_mixed_rows(const Inputs& inputs, const Options& options, const RunHooks& hooks) {
  const bool are_documents =
      std::all_of(inputs.list.begin(), inputs.list.end(),
                  [](const InputFile& input) { return input.format->is_document(); });
  if (!tells(options, hooks) || inputs.grouped || are_documents) return;
  const std::string why = why_not_one_file(inputs);
  if (!why.empty()) hooks.on_message("dedup into one file: " + why);
}

PlannedRows inspect_rows(const Inputs& inputs, const Options& options, const Settings& settings,
                         const RunTools& tools) {
  PlannedRows rows;
  rows.only_across = !options.contained.empty();
  const std::uint64_t spooled =
      tools.scratch.peak_bytes();  // before a survey keeps decompressed data
  rows.survey = survey_rows(inputs, settings);
  rows.survey.spooled_bytes = spooled;
  add_unpacking(inputs, settings, rows.survey);
  const bool is_open = is_method_open(options, settings);
  if (!is_open && settings.method == Method::lsh) {
    rows.sample.similarities = draw_sample(inputs, settings);
  } else {
    RowSample sample(inputs, settings);
    if (const auto side = read_small_side(kPlan, options, settings, inputs, tools)) {
      sample.look_up(*side->elements, side->larger, side->of_smaller);
    }
    const auto& [similarities, collection] = sample.facts();
    bool takes_lsh = false;
    if (is_open) {
      const JoinGoal goal{settings.threshold, JoinUse::every_pair,
                          find_banding(settings.threshold, settings.recall, similarities)};
      takes_lsh = is_lsh_cheapest(collection, similarities, goal);
    }
    if (!takes_lsh) sample.join(tools.pool);
    rows.sample = sample.facts();
  }
  if (rows.sample.collection.whole) {  // all rows were counted
    rows.survey.rows = rows.sample.collection.rows;
    rows.survey.other_rows = rows.sample.collection.other_rows;
  }
  return rows;
}

PlannedRows rows_asked_for(const PlannedRows& known, const Options& options) {
  PlannedRows rows = known;
  const std::string asked = given_value(options, "rows");
  if (asked.empty()) return rows;
  if (rows.survey.rows == 0) {
    throw Error(ErrorKind::malformed_input, "plan --rows: INPUT has no rows to extrapolate from");
  }
  const auto before = static_cast<double>(rows.survey.rows);
  rows.survey = grown(rows.survey, *parse_count(asked));
  CollectionFacts& collection = rows.sample.collection;
  if (collection.rows == 0) return rows;  // the method was given, so nothing was sampled
  collection.other_rows = rows.survey.other_rows;
  const auto grow = [&](std::uint64_t& count) {
    const double factor = static_cast<double>(rows.survey.rows) / before;
    count =
        static_cast<std::uint64_t>(std::min(kMostOfSurvey, static_cast<double>(count) * factor));
  };
  grow(collection.elements);
  grow(collection.copied_rows);
  grow(collection.copied_elements);
  if (auto& partners = collection.partners) {
    grow(partners->small_elements);
    grow(partners->rows);
    grow(partners->elements);
  }
  collection.rows = rows.survey.rows;
  collection.whole = collection.few = false;
  return rows;
}

PlannedCosts planned_costs(const PlannedRows& rows, const MethodChoice& dedup,
                           const MethodChoice& pairs, const Options& options,
                           const Settings& settings) {
  const RunCosts of_dedup = costs_of(rows, dedup, options, settings, JoinUse::survivors);
  if (rows.only_across) return {of_dedup, of_dedup};  // no other verb has this option
  return {of_dedup, costs_of(rows, pairs, options, settings, JoinUse::every_pair)};
}

std::uint64_t bytes_of_inputs(const Inputs& inputs) {
  std::uint64_t bytes = 0;
  for (const File& file : inputs.files) bytes += file.size();
  return bytes;
}

std::string rows_text(const PlannedRows& rows) {
  if (rows.survey.growth != 1) {
    return fmt::format("{} like these, about {}", plural_text(rows.survey.rows, "row", "rows"),
                       bytes_text(rows.survey.bytes));
  }
  const bool counted = rows.survey.whole || rows.sample.collection.whole;
  return fmt::format("{}{} in {}", counted ? "" : "about ",
                     plural_text(rows.survey.rows, "row", "rows"), bytes_text(rows.survey.bytes));
}

std::string describe_runs(const PlannedRows& rows, const PlannedCosts& costs,
                          const Settings& settings) {
  std::string out;
  const auto line = [&out](std::string_view label, const std::string& text) {
    out += fmt::format("{:<18}{}\n", label, text);
  };
  const bool counted = rows.survey.whole || rows.sample.collection.whole;
  line("rows", rows.survey.growth != 1
                   ? rows_text(rows)
                   : fmt::format("{}{} in {}", counted ? "" : "about ",
                                 count_text(rows.survey.rows), bytes_text(rows.survey.bytes)));
  line("dedup takes", costs_text(costs.dedup));
  if (!rows.only_across) line("pairs takes", costs_text(costs.pairs));
  line("", costs_note(settings));
  out += phases_table(costs.dedup);
  return out;
}

}  // namespace sosie
