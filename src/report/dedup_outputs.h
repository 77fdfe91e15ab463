#pragma once

#include <memory>

#include "corpus/corpus.h"
#include "io/output_file.h"
#include "report/kept_rows.h"
#include "report/report_page.h"
#include "report/report_source.h"
#include "store/run/run_folder.h"
#include "write/table.h"

namespace sosie {

// The outputs a dedup run has been asked for; null where it has not. They are opened before
// anything is read, so that what cannot be written is known at once, and all appear together at the
// end.
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

  // Writes the rows for which `kept` holds, changed by the edits, and those for which
  // `is_removed` does, as they came.
  void write(const KeptSource& source, const KeepRow& keep, const RowEdits& edits,
             const KeepRow& is_removed) const;
  // Writes the rest of all but the stats, which tell how long that takes. What can fail for want of
  // room then has been done.
  void finish() const;
  // Gives all their names.
  void commit() const;
};

// Why the rows of these inputs cannot be written into one file, and what to do; empty: they can.
[[nodiscard]] std::string why_not_one_file(const Inputs& inputs);

// Request for the outputs of dedup.
struct DedupOutputRequest {
  const Options& options;
  const RunHooks& hooks;
  const Inputs& inputs;
  ThreadPool& pool;
  std::string pair_note = {};             // note of --pairs on its making
  std::string value_name = "similarity";  // or "distance": what the tables call it
};

// True if --removed names the passage that a removed text holds.
[[nodiscard]] inline bool names_passages(const Options& options) {
  return !options.contained.empty() && options.kind == "text";
}

// Errors: invalid_option for an output that is an input, two outputs under one name, or kept rows
// under the name of another format, an output folder that holds something; io for what cannot be
// written.
[[nodiscard]] DedupOutputs open_outputs(const DedupOutputRequest& request);

// Opens the output of kept rows alone. Errors: the same.
[[nodiscard]] RowsOutput open_kept_rows(const DedupOutputRequest& request);

// --report: one self-contained HTML page of at most 5 MB about what a dedup run kept and removed,
// and why. `page` has its summary, complete, what describe_sets() or describe_items() fill in, and
// complete_page().
// Source: docs/how-it-works.md.
void write_report(const ReportPage& page, OutputFile& out);

// Fills in what is told of items of every kind: flow, histogram, sizes, the command.
void complete_page(const Options& options, const ReportSource& source, ReportPage& page);

}  // namespace sosie
