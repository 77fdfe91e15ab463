#pragma once

#include <span>
#include <string>

#include "sosie/error.h"
#include "sosie/table_files.h"

namespace sosie::cli {

// Files installed with the program that runs the command line.
struct Installed {
  const TableFiles* table_files = nullptr;  // reads and writes Parquet and Arrow IPC; null: the
                                            // installed plugin
  std::string program = "sosie";            // the name that was typed, for commands that are shown
  std::string share = {};  // folder of the demo's sample; empty: looked for from the program's file
};

// Runs the whole command line, without the program's name, and returns the exit code. From then on,
// signals are handled as in a command-line program.
[[nodiscard]] int run_command(std::span<char* const> arguments, const Installed& installed);

// Writes an error in the form used by the command line, and returns its exit code.
[[nodiscard]] int report_error(const Error& error);

}  // namespace sosie::cli
