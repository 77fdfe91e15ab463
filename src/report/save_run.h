#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/scratch.h"
#include "report/report_page.h"
#include "report/report_source.h"
#include "sosie/join.h"
#include "store/run/run_folder.h"

namespace sosie {

// The source of a folder for `dedup --save`; for link, see save_links.h.
struct SavedRunSource {
  const ReportSource& report;
  Scratch& scratch;
  std::uint64_t memory_bytes;
  const RunHooks& hooks;
  std::function<std::string(RowNumber row)> line;  // a line that shows a row; may be empty
  std::function<void()> measure;                   // updates the page's times
};

// The folder that --save names, as typed; empty if --save is not given.
[[nodiscard]] std::string saved_folder(const Options& options);

// Opens the folder that --save names; null if --save is not given. Throws as RunFolderWriter()
// does.
[[nodiscard]] std::unique_ptr<RunFolderWriter> open_saved_run(const Options& options,
                                                              const std::atomic<bool>* cancel,
                                                              bool of_links = false);

// Throws Error{unsupported} or Error{invalid_option} for inputs whose rows cannot be reread:
// standard input, tables in memory, rows of --group-by.
void check_saved_inputs(const Options& options, const Inputs& inputs);

// Facts about a run's files, starting with the files of --against, and about how rows are read.
[[nodiscard]] RunFacts reading_facts(const Options& options, std::vector<InputFile> files,
                                     std::size_t first_own_file);

// The headings of the summary, followed by the names of the files of --against, and for each file
// the position of its name.
struct SourceNames {
  std::vector<std::string> names = {};
  std::vector<std::size_t> of_file = {};
};
[[nodiscard]] SourceNames source_names(std::span<const InputFile> files,
                                       std::size_t first_own_file);

// Writes the run's groups, each with the places and hashes of its rows, and then the facts. `page`
// must be complete.
void save_run(const Options& options, const SavedRunSource& source, const ReportPage& page,
              RunFolderWriter& out);

}  // namespace sosie
