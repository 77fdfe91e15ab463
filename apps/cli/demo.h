#pragma once

#include "command.h"
#include "sosie/join.h"

namespace sosie::cli {

// `sosie demo [FOLDER]`: runs dedup on the installed sample, leaves the kept and removed rows in
// the folder (default: sosie-demo), and writes to standard output the command, some lines to look
// at, and commands to try next. Throws Error{invalid_option} if the folder holds other files, and
// Error{unsupported} if the sample is not installed.
void run_demo(const Options& options, const RunHooks& hooks, const Installed& installed);

}  // namespace sosie::cli
