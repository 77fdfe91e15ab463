#pragma once

#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// True if the run informs its user of expectations and observations: the caller listens, and
// --quiet is not given.
[[nodiscard]] inline bool tells(const Options& options, const RunHooks& hooks) {
  return hooks.on_message && !options.quiet;
}

}  // namespace sosie
