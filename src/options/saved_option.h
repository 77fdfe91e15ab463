#pragma once

#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// Sets an option to a value from a stored file. Values that earlier versions accepted but
// set_option() rejects keep their meaning: --keep rules after first or last, and field lists with
// an empty name, each of which is a single literal field name. In all other cases, it does what
// set_option() does.
void set_saved_option(Options& options, std::string_view name, const std::string& value);

}  // namespace sosie
