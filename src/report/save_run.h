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

// Source of the folder of `dedup --save`; of link: save_links.h.
struct SavedRunSource {
  const ReportSource& report;
  Scratch& scratch;
  std::uint64_t memory_bytes;
  const RunHooks& hooks;
  std::function<std::string(RowNumber row)> line;  // a line that shows a row; may be empty
  std::function<void()> measure;                   // brings the page's time up to now
};

// The folder that --save names, as it was typed; empty: none.
[[nodiscard]] std::string saved_folder(const Options& options);

// Opens the folder that --save names; null: none. Throws as RunFolderWriter() does.
[[nodiscard]] std::unique_ptr<RunFolderWriter> open_saved_run(const Options& options,
                                                              const std::atomic<bool>* cancel,
                                                              bool of_links = false);

// Throws Error{unsupported} or Error{invalid_option} for inputs whose rows cannot be read again:
// standard input, tables in memory, rows of --group-by.
void check_saved_inputs(const Options& options, const Inputs& inputs);

// Facts on the files of a run, --against in front, and on how their rows are read.
[[nodiscard]] RunFacts reading_facts(const Options& options, std::vector<InputFile> files,
                                     std::size_t first_own_file);

// Headings of the summary, and by file the place of its own: names of --against's behind the
// others.
struct SourceNames {
  std::vector<std::string> names = {};
  std::vector<std::size_t> of_file = {};
};
[[nodiscard]] SourceNames source_names(std::span<const InputFile> files,
                                       std::size_t first_own_file);

// Writes the groups of the run, and of each its rows with their places and hashes; then the facts.
// `page`: complete.
void save_run(const Options& options, const SavedRunSource& source, const ReportPage& page,
              RunFolderWriter& out);

}  // namespace sosie
