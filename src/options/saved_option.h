#pragma once

#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// Sets an option to the value that a file keeps. Values that earlier versions took and set_option()
// refuses are read as they were meant: rules of --keep behind first or last, and names of fields
// that leave one empty, each the name of a field as it stands. Otherwise like set_option().
void set_saved_option(Options& options, std::string_view name, const std::string& value);

}  // namespace sosie
