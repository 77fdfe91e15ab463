#pragma once

#include "command.h"
#include "progress_line.h"
#include "sosie/join.h"

namespace sosie::cli {

// `sosie demo [FOLDER]`: runs dedup on the sample that every installation has, leaves kept and
// removed rows in the folder (default: sosie-demo), and prints the command that was run, some lines
// of its outputs, and commands to try next. Throws Error{invalid_option} for a folder that contains
// other files, and Error{unsupported} if the sample is not installed. `line` shows the progress
// reported through `hooks`.
void run_demo(const Options& options, const RunHooks& hooks, ProgressLine& line,
              const Installed& installed);

}  // namespace sosie::cli
