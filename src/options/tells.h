#pragma once

#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// True if the run should inform the user of expectations and observations: the caller receives
// messages, and --quiet is not given.
[[nodiscard]] inline bool tells(const Options& options, const RunHooks& hooks) {
  return hooks.on_message && !options.quiet;
}

}  // namespace sosie
