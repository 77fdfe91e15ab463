#pragma once

#include <string>

#include "sosie/error.h"
#include "sosie/options.h"

namespace sosie {

[[noreturn]] inline void refuse_option(const RefusedOption& option, const std::string& why,
                                       const std::string& hint = {}) {
  throw Error(ErrorKind::invalid_option, option, why, hint);
}

// Throws Error{invalid_option} if an option is given that does not apply to items of kind
// options.kind (none: text).
void refuse_options_of_others(const Options& options);

}  // namespace sosie
