#pragma once

#include "sosie/join.h"

namespace sosie::cli {

// `sosie explain ID1 ID2 INPUT...`: the first two entries of options.inputs are ids. The page goes
// to standard output, in colour if that is a terminal (or according to --color). Throws
// Error{invalid_option} if an id or the input is missing.
void show_explanation(Options options, const RunHooks& hooks);

}  // namespace sosie::cli
