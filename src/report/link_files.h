#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/output_file.h"
#include "options/link_rules.h"
#include "report/kept_rows.h"
#include "sosie/join.h"
#include "sosie/options.h"
#include "store/run/run_folder.h"
#include "write/table.h"

namespace sosie {

// Requests the output files of a link run.
struct LinkFileRequest {
  const Options& options;
  const RunHooks& hooks;
  const LinkRules& rules;
  const Inputs& inputs;  // inputs of the first collection
  ThreadPool& pool;
  bool has_bits;                        // links include bits
  bool to_stdout;                       // for outputs without a name
  std::vector<std::string> asked = {};  // columns for --suggest, written instead of links or groups
};

// True if the output consists of rows of the first collection (--annotate, --golden, --keep)
// instead of a table.
[[nodiscard]] bool writes_records(const Options& options);

// The files that a run of link writes. They appear only when all are complete.
struct LinkFiles {
  std::unique_ptr<TableWriter> output;  // groups or links; null: the calling program receives them
  RowsOutput rows;
  std::unique_ptr<TableWriter> pairs;
  std::unique_ptr<OutputFile> stats;
  std::unique_ptr<OutputFile> model;
  std::unique_ptr<OutputFile> report;
  std::unique_ptr<RunFolderWriter> saved;

  // Throws Error{invalid_option, io}.
  void open(const LinkFileRequest& request);
  // Completes all files except the stats, which include the time that this takes.
  void finish() const;
  void commit() const;
};

// Opens a file for --stats; null if not requested.
[[nodiscard]] std::unique_ptr<OutputFile> open_stats(const Options& options, const RunHooks& hooks);

}  // namespace sosie
