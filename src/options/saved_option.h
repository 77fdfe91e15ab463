#pragma once

#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// Sets an option to a value stored in a file. Values that earlier versions accepted and
// set_option() rejects keep their meaning: --keep rules after first or last, and field lists with
// an empty name, each of which is a literal field name. Otherwise like set_option().
void set_saved_option(Options& options, std::string_view name, const std::string& value);

}  // namespace sosie
