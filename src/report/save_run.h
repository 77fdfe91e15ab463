#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "io/scratch.h"
#include "report/report_source.h"
#include "sosie/join.h"
#include "store/run/run_folder.h"
#include "write/html_report.h"

namespace sosie {

// Source of the folder of `dedup --save`.
struct SavedRunSource {
  const ReportSource& report;
  Scratch& scratch;
  std::uint64_t memory_bytes;
  const RunHooks& hooks;
  std::function<std::string(RowId row)> line;  // a line that shows a row; may be empty
  std::function<void()> measure;               // brings the page's time up to now
};

// The folder that --save names, as it was typed; empty: none.
[[nodiscard]] std::string saved_folder(const Options& options);

// Throws Error{unsupported} or Error{invalid_option} for inputs whose rows cannot be read again:
// standard input, tables in memory, rows of --group-by.
void check_saved_inputs(const Options& options, const Inputs& inputs);

// Writes the groups of the run, and of each its rows with their places and hashes; then the facts.
// `page`: complete.
void save_run(const Options& options, const SavedRunSource& source, const ReportPage& page,
              RunFolderWriter& out);

}  // namespace sosie
