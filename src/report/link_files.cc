// Output files of link.
#include "report/link_files.h"

#include <utility>
#include <vector>

#include "options/bounds.h"
#include "options/formats.h"
#include "options/output_names.h"
#include "report/dedup_outputs.h"
#include "report/link_table.h"
#include "report/save_run.h"

namespace sosie {

std::unique_ptr<OutputFile> open_stats(const Options& options, const RunHooks& hooks) {
  check_json_name("--stats", options.stats, "the summary");
  if (options.stats.empty()) return nullptr;
  return std::make_unique<OutputFile>(options.stats, hooks.cancel);
}

bool writes_records(const Options& options) {
  return !options.annotate.empty() || !options.golden.empty() || is_given(options, "keep");
}

void LinkFiles::open(const LinkFileRequest& request) {
  const Options& options = request.options;
  const RunHooks& hooks = request.hooks;
  const auto table_at = [&](const std::string& path, std::vector<std::string> columns) {
    return std::make_unique<TableWriter>(path, table_format_of(path), std::move(columns),
                                         hooks.cancel, hooks.table_files);
  };
  const bool across = !options.against.empty();
  const bool has_result = request.to_stdout || !options.output.empty();
  const bool is_rows = writes_records(options);
  if (is_rows && has_result) rows = open_kept_rows({options, hooks, request.inputs, request.pool});
  std::vector<std::string> columns =
      across ? link_columns(request.rules, request.has_bits)
             : std::vector<std::string>{"id", "cluster_id", "size", "weakest"};
  if (!request.asked.empty()) columns = request.asked;
  const std::string& beside_rows = across ? options.pairs : options.clusters;
  if (const std::string& path = is_rows ? beside_rows : options.output; !path.empty()) {
    output = table_at(path, std::move(columns));
  } else if (request.to_stdout && !is_rows) {
    output =
        std::make_unique<TableWriter>(hooks.result_descriptor, std::move(columns), hooks.cancel);
  }
  if (!options.pairs.empty() && !across) {
    pairs = table_at(options.pairs, link_columns(request.rules, request.has_bits));
  }
  check_json_name("--model", options.model, "the weights");
  check_output_name("--report", options.report, "the report", {".html", ".htm", ".xhtml"});
  if (!options.model.empty()) model = std::make_unique<OutputFile>(options.model, hooks.cancel);
  if (!options.report.empty()) report = std::make_unique<OutputFile>(options.report, hooks.cancel);
  stats = open_stats(options, hooks);
  saved = open_saved_run(options, hooks.cancel, /*of_links=*/true);
  const bool has_more = pairs || model || report || stats || saved;
  if (output && has_more) output->outlive_reader();
  if (rows.file && (has_more || output)) rows.file->outlive_reader();
}

void LinkFiles::finish() const {
  for (OutputFile* file : {model.get(), report.get()}) {
    if (file != nullptr) file->finish();
  }
  for (TableWriter* table : {pairs.get(), output.get()}) {
    if (table != nullptr) table->finish();
  }
  rows.finish();
}

void LinkFiles::commit() const {
  if (stats) stats->finish();
  for (OutputFile* file : {stats.get(), model.get(), report.get()}) {
    if (file != nullptr) file->commit();
  }
  for (TableWriter* table : {pairs.get(), output.get()}) {
    if (table != nullptr) table->commit();
  }
  if (saved) saved->commit();
  rows.commit();
}

}  // namespace sosie
