#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// True for an option with a comma-separated value ("FIELD,...").
[[nodiscard]] bool takes_comma_list(const OptionRow& row) noexcept;

// Sets an option to all values that a command gives it, in order. An option of type list receives
// each value. Values of a comma-separated list are joined: "a" and "b,c" become "a,b,c". Any other
// option accepts a single value, which may be repeated ("0.80" repeats "0.8"). Throws as
// set_option() does, and Error{invalid_option} with both values if two values differ.
void set_option_values(Options& options, std::string_view name,
                       std::span<const std::string> values);

}  // namespace sosie
