#pragma once

#include <memory>

#include "corpus/corpus.h"
#include "data/kinds.h"
#include "io/output_file.h"
#include "report/kept_rows.h"
#include "report/report_page.h"
#include "report/report_source.h"
#include "store/run/run_folder.h"
#include "write/table.h"

namespace sosie {

// The outputs of a dedup run; null if not requested. They are opened before anything is read, so
// that an output that cannot be written is noticed at once. All of them appear together at the end.
struct DedupOutputs {
  RowsOutput kept;
  RowsOutput removed_rows;
  std::unique_ptr<TableWriter> removed;
  std::unique_ptr<TableWriter> clusters;
  std::unique_ptr<TableWriter> pairs;
  std::unique_ptr<TableWriter> rejects;
  std::unique_ptr<OutputFile> stats;
  std::unique_ptr<OutputFile> report;
  std::unique_ptr<RunFolderWriter> saved;

  // Writes the rows for which `kept` is true, after applying the edits, and the rows for which
  // `is_removed` is true, unchanged.
  void write(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
             const KeepRow& is_removed) const;
  // Completes all outputs except the stats, which include the time that this takes. A full disk is
  // noticed here.
  void finish() const;
  // Gives all outputs their final names.
  void commit() const;
};

// Why the rows of these inputs cannot be written to a single file, with a hint; empty if they can.
[[nodiscard]] std::string why_not_one_file(const Inputs& inputs);

// Requests the outputs of dedup.
struct DedupOutputRequest {
  const Options& options;
  const RunHooks& hooks;
  const Inputs& inputs;
  ThreadPool& pool;
  std::string pair_note = {};             // note in the --pairs file on how it was made
  std::string value_name = "similarity";  // or "distance": name of the values in tables
};

// True if --removed shows the passage of each removed text that its survivor contains.
[[nodiscard]] inline bool names_passages(const Options& options) {
  return !options.contained.empty() && options.kind == kTextItems;
}

// Throws Error{invalid_option} for an output that is also an input, for two outputs with the same
// name, for kept rows whose file name indicates another format, and for an output folder that is
// not empty; throws Error{io} for outputs that cannot be written.
[[nodiscard]] DedupOutputs open_outputs(const DedupOutputRequest& request);

// Opens only the output for kept rows. Throws the same errors as open_outputs().
[[nodiscard]] RowsOutput open_kept_rows(const DedupOutputRequest& request);

// --report: a self-contained HTML page of at most 5 MB that shows which rows a dedup run kept and
// removed, and why. `page` must contain the complete summary and have been filled in by
// describe_sets() or describe_items(), and by complete_page(). Source: docs/how-it-works.md.
void write_report(const ReportPage& page, OutputFile& out);

// Fills in the data for all kinds of items: flow, histogram, sizes, and the command.
void complete_page(const Options& options, const ReportSource& source, ReportPage& page);

}  // namespace sosie
