// Verb sketch: writes the signatures, hashes and places of the rows in a shard.
#include <fmt/format.h>

#include <filesystem>

#include "core/count_text.h"
#include "corpus/asked_fields.h"
#include "corpus/bad_lines.h"
#include "corpus/count_inputs.h"
#include "corpus/rows/row_sample.h"
#include "corpus/scan.h"
#include "join/sets/set_run.h"
#include "options/output_names.h"
#include "options/output_options.h"
#include "report/input_notes_text.h"
#include "sosie/error.h"
#include "store/saved_plan.h"
#include "store/sketch/sketch_file.h"
#include "verbs/verbs.h"

namespace sosie {

void check_sketch_options(const Options& options) {
  if (options.plan.empty()) {
    throw Error(ErrorKind::invalid_option, "sketch: no plan given",
                "sosie plan INPUT... -o P.json makes one; --plan P.json uses it for every shard");
  }
  if (options.output.empty()) {
    throw Error(ErrorKind::invalid_option, "sketch: no output given", "use -o FILE");
  }
  check_output_name("-o", options.output, "a sketch file");
  if (options.table) {
    throw Error(ErrorKind::unsupported, "sketch: tables in memory cannot be read again later",
                "name the files");
  }
}

Options options_of_sketch(const Inputs& inputs, const Options& options) {
  const auto column_of = [&](const InputFile& input) {
    return input.told.column.empty() ? options.column : input.told.column;
  };
  Options made = options;
  if (!inputs.list.empty()) made.column = column_of(inputs.list.front());
  for (const InputFile& input : inputs.list) {
    if (column_of(input) != made.column) {
      throw Error(ErrorKind::unsupported, BadPlace{input.name},
                  "sketches are made of one column for all inputs",
                  fmt::format("--column '{}|{}' uses the first one present in a row",
                              column_of(input), made.column));
    }
    if (std::filesystem::is_regular_file(input.path)) continue;
    throw Error(ErrorKind::invalid_option, input.name + ": cannot be read again later",
                "sketches can be made of regular files only");
  }
  check_outputs(inputs, options);
  check_outputs(std::vector{options.plan}, options);
  return made;
}

RunReport sketched(const Corpus& corpus, const Inputs& inputs, const std::string& output,
                   std::uint64_t bytes) {
  RunReport report;
  report.rows = corpus.rows;
  report.summary = fmt::format("{} sketched: {}, {}{}\n", plural_text(corpus.rows, "row", "rows"),
                               output, bytes_text(bytes), bad_rows_text(corpus.facts)) +
                   input_notes_text(inputs.notes);
  return report;
}

RunReport sketch_sets(const Options& asked, const RunHooks& hooks) {
  check_sketch_options(asked);
  const SavedPlan plan = load_plan(asked.plan, hooks.cancel);
  const Options options = with_plan(asked, plan);
  const Settings settings = resolve(options);
  if (settings.method == Method::exact) {
    throw Error(
        ErrorKind::invalid_option,
        fmt::format(
            "sketch: --measure {} --recall {} selects an exact method, which uses no sketches",
            options.measure, options.recall));
  }
  ThreadPool pool(settings.threads, hooks.cancel);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  const Inputs inputs = open_inputs(options, settings, scratch, pool, hooks);
  require_asked_fields(inputs, settings, pool);
  const Options made = options_of_sketch(inputs, options);
  tell_unusual(inputs, options, hooks);
  SketchContents contents = contents_of(made, settings, inputs);
  contents.plan = plan;
  check_plan(contents.plan, options.plan, options, settings);
  ScanRequest request;
  request.banding = contents.plan.banding;
  request.short_below = short_text_limit(settings);
  SketchWriter writer(options.output, std::move(contents), hooks.cancel);
  std::vector<SketchedBlock> packed(pool.size());
  request.steps.take = [&](unsigned worker, std::size_t number, const BlockRange& /*range*/,
                           const ScannedBlock& block) {
    packed[worker] = writer.packed(number, block);
  };
  request.steps.end = [&](unsigned worker, std::size_t /*number*/, const BlockRange& range,
                          const ScannedBlock& /*block*/) { writer.add(range, packed[worker]); };
  const Corpus corpus = scan(inputs, settings, request, scratch, pool, hooks);
  require_unchanged(inputs);
  pool.check_cancelled();
  return sketched(corpus, inputs, options.output, writer.commit());
}

}  // namespace sosie
