#pragma once

#include <span>

#include "sosie/error.h"
#include "sosie/table_files.h"

namespace sosie::cli {

// The whole command line: what stands behind the program's name, done, and the exit code. From now
// on signals are handled as a program handles them. `table_files`: who reads and writes Parquet and
// Arrow IPC; null: the installed plugin.
[[nodiscard]] int run_command(std::span<char* const> arguments, const TableFiles* table_files);

// Writes an error as the command line shows it, and returns its exit code.
[[nodiscard]] int report_error(const Error& error);

}  // namespace sosie::cli
