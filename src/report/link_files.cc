// Output files of link.
#include "report/link_files.h"

#include <utility>
#include <vector>

#include "options/formats.h"
#include "options/output_names.h"
#include "report/link_table.h"

namespace sosie {

std::unique_ptr<OutputFile> open_stats(const Options& options, const RunHooks& hooks) {
  check_json_name("--stats", options.stats, "the summary");
  if (options.stats.empty()) return nullptr;
  return std::make_unique<OutputFile>(options.stats, hooks.cancel);
}

void LinkFiles::open(const Options& options, const RunHooks& hooks, const LinkRules& rules,
                     bool has_bits, bool to_stdout) {
  const auto table_at = [&](const std::string& path, std::vector<std::string> columns) {
    return std::make_unique<TableWriter>(path, table_format_of(path), std::move(columns),
                                         hooks.cancel, hooks.table_files);
  };
  std::vector<std::string> columns =
      options.against.empty() ? std::vector<std::string>{"id", "cluster_id", "size", "weakest"}
                              : link_columns(rules, has_bits);
  if (!options.output.empty()) {
    output = table_at(options.output, std::move(columns));
  } else if (to_stdout) {
    output =
        std::make_unique<TableWriter>(hooks.result_descriptor, std::move(columns), hooks.cancel);
  }
  if (!options.pairs.empty()) pairs = table_at(options.pairs, link_columns(rules, has_bits));
  check_json_name("--model", options.model, "the weights");
  check_output_name("--report", options.report, "the report", {".html", ".htm", ".xhtml"});
  if (!options.model.empty()) model = std::make_unique<OutputFile>(options.model, hooks.cancel);
  if (!options.report.empty()) report = std::make_unique<OutputFile>(options.report, hooks.cancel);
  stats = open_stats(options, hooks);
  if (output && (pairs || model || report || stats)) output->outlive_reader();
}

void LinkFiles::finish() const {
  for (OutputFile* file : {model.get(), report.get()}) {
    if (file != nullptr) file->finish();
  }
  for (TableWriter* table : {pairs.get(), output.get()}) {
    if (table != nullptr) table->finish();
  }
}

void LinkFiles::commit() const {
  if (stats) stats->finish();
  for (OutputFile* file : {stats.get(), model.get(), report.get()}) {
    if (file != nullptr) file->commit();
  }
  for (TableWriter* table : {pairs.get(), output.get()}) {
    if (table != nullptr) table->commit();
  }
}

}  // namespace sosie
