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
// that an output that cannot be written is noticed at once, and all appear together at the end.
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
  // Writes the rest of all outputs except the stats, which include the time that this takes. If the
  // disk is full, it is noticed here.
  void finish() const;
  // Gives all outputs their names.
  void commit() const;
};

// The reason, with a hint, why the rows of these inputs cannot be written to a single file; empty
// if they can.
[[nodiscard]] std::string why_not_one_file(const Inputs& inputs);

// Request for the outputs of dedup.
struct DedupOutputRequest {
  const Options& options;
  const RunHooks& hooks;
  const Inputs& inputs;
  ThreadPool& pool;
  std::string pair_note = {};             // note of --pairs on how it was made
  std::string value_name = "similarity";  // or "distance": name of the values in tables
};

// True if --removed includes the passage of a removed text that its survivor contains.
[[nodiscard]] inline bool names_passages(const Options& options) {
  return !options.contained.empty() && options.kind == kTextItems;
}

// Errors: invalid_option for an output that is also an input, for two outputs with the same name,
// for kept rows whose file name indicates another format, and for an output folder that is not
// empty; io for outputs that cannot be written.
[[nodiscard]] DedupOutputs open_outputs(const DedupOutputRequest& request);

// Opens only the output of kept rows. Errors: as open_outputs().
[[nodiscard]] RowsOutput open_kept_rows(const DedupOutputRequest& request);

// --report: a self-contained HTML page of at most 5 MB that shows which rows a dedup run kept and
// removed, and why. `page` must contain the complete summary and the data from describe_sets() or
// describe_items(), and from complete_page(). Source: docs/how-it-works.md.
void write_report(const ReportPage& page, OutputFile& out);

// Fills in the data that all kinds of items share: flow, histogram, sizes, the command.
void complete_page(const Options& options, const ReportSource& source, ReportPage& page);

}  // namespace sosie
