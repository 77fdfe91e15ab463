#pragma once

#include "command.h"
#include "progress_line.h"
#include "sosie/join.h"

namespace sosie::cli {

// `sosie demo [FOLDER]`: runs dedup on the sample that every installation has, leaves the kept rows
// and the removed ones in the folder (default: sosie-demo), and writes to standard output the
// command that was run, lines to look at, and commands to try next. Throws Error{invalid_option}
// for a folder that holds other files, Error{unsupported} where the sample is not installed.
// `line` shows the progress that `hooks` tell.
void run_demo(const Options& options, const RunHooks& hooks, ProgressLine& line,
              const Installed& installed);

}  // namespace sosie::cli
