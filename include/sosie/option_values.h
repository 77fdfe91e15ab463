#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// True for an option with a comma-separated value ("FIELD,...").
[[nodiscard]] bool takes_comma_list(const OptionRow& row) noexcept;

// Sets an option to all its values in one command, in order. An option of type list receives each
// value. Comma-separated lists are joined: "a" and "b,c" become "a,b,c". Other options accept one
// value, which may be repeated ("0.80" repeats "0.8"). Throws as set_option() does, and
// Error{invalid_option} that names two different values.
void set_option_values(Options& options, std::string_view name,
                       std::span<const std::string> values);

}  // namespace sosie
