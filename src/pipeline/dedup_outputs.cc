#include "pipeline/dedup_outputs.h"

#include <fmt/format.h>

#include "pipeline/pair_table.h"
#include "pipeline/side_tables.h"
#include "read/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Throws when kept rows of different formats would be mixed, or written under the name of another
// format.
void check_output_format(const Run& run) {
  const Format* format = nullptr;
  for (const InputFile& input : run.inputs.list) {
    if (format != nullptr && input.format != format) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("cannot write {} and {} rows into one output", format->name,
                              input.format->name),
                  "run them apart, or use --dry-run with --removed");
    }
    format = input.format;
  }
  const Format* named = format_by_extension(run.options.output);
  if (format != nullptr && named != nullptr && named != format) {
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: kept rows are written as they came, and the input is {}",
                            run.options.output, format->name));
  }
}

}  // namespace

void DedupOutputs::commit() {
  if (removed) removed->commit();
  if (clusters) clusters->commit();
  if (pairs) pairs->commit();
  if (stats) stats->commit();
  if (kept) kept->commit();
}

DedupOutputs open_outputs(const Run& run) {
  const Options& o = run.options;
  check_outputs(run.inputs, {o.output, o.removed, o.clusters, o.pairs, o.stats});
  DedupOutputs out;
  if (!o.dry_run) {
    check_output_format(run);
    out.kept = o.output.empty()
                   ? std::make_unique<OutputFile>(run.hooks.result_descriptor, "<stdout>")
                   : std::make_unique<OutputFile>(o.output);
  }
  if (!o.removed.empty()) out.removed = std::make_unique<TableWriter>(o.removed, removed_columns());
  if (!o.clusters.empty()) {
    out.clusters = std::make_unique<TableWriter>(o.clusters, cluster_columns());
  }
  if (!o.pairs.empty()) out.pairs = std::make_unique<TableWriter>(o.pairs, pair_columns({}));
  if (!o.stats.empty()) out.stats = std::make_unique<OutputFile>(o.stats);
  return out;
}

}  // namespace sosie
