#pragma once

#include <memory>
#include <string>

#include "io/output_file.h"
#include "options/link_rules.h"
#include "sosie/join.h"
#include "sosie/options.h"
#include "write/table.h"

namespace sosie {

// Files that a run of link writes. All stand only once all are complete.
struct LinkFiles {
  std::unique_ptr<TableWriter> output;  // null: the program that asks has it all
  std::unique_ptr<TableWriter> pairs;
  std::unique_ptr<OutputFile> stats;
  std::unique_ptr<OutputFile> model;
  std::unique_ptr<OutputFile> report;

  // `has_bits`: links have bits. `to_stdout`: where no output is named. Throws
  // Error{invalid_option, io}.
  void open(const Options& options, const RunHooks& hooks, const LinkRules& rules, bool has_bits,
            bool to_stdout);
  // Writes the rest of all but the stats, which tell how long that takes.
  void finish() const;
  void commit() const;
};

// Opens a file of --stats, or nothing.
[[nodiscard]] std::unique_ptr<OutputFile> open_stats(const Options& options, const RunHooks& hooks);

}  // namespace sosie
