#pragma once

#include "sosie/options.h"

namespace sosie {

// Throws Error{invalid_option} if an option was given that items of options.kind have no use for
// (empty: text).
void refuse_options_of_others(const Options& options);

}  // namespace sosie
