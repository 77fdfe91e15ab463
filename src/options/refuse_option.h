#pragma once

#include <string>

#include "sosie/error.h"

namespace sosie {

[[noreturn]] inline void refuse_option(const RefusedOption& option, const std::string& why,
                                       const std::string& hint = {}) {
  throw Error(ErrorKind::invalid_option, option, why, hint);
}

}  // namespace sosie
