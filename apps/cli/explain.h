#pragma once

#include "progress_line.h"
#include "sosie/join.h"

namespace sosie::cli {

// `sosie explain ID1 ID2 INPUT...`: the first two of options.inputs are ids. The page goes to
// standard output, in colour if that is a terminal or as --color requests. Throws
// Error{invalid_option} if an id or the input is missing. `line` shows the progress reported
// through `hooks`.
void show_explanation(Options options, const RunHooks& hooks, ProgressLine& line);

}  // namespace sosie::cli
