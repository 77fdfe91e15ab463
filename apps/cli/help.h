#pragma once

#include <string>

#include "sosie/options.h"

namespace sosie::cli {

// Text of `sosie --help`: the list of verbs.
[[nodiscard]] std::string overview();

// `sosie VERB -h`: names and defaults on one screen. `sosie VERB --help`: everything.
[[nodiscard]] std::string short_help(const Verb& verb);
[[nodiscard]] std::string full_help(const Verb& verb);

}  // namespace sosie::cli
