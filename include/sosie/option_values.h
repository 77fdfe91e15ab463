#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// True for an option whose value is a list between commas ("FIELD,...").
[[nodiscard]] bool takes_comma_list(const OptionRow& row) noexcept;

// Sets an option to all the values that one command says for it, in their order. An option of type
// list takes each of them. Lists between commas are put together: "a" and "b,c" are "a,b,c". Any
// other option takes one value, which may be repeated ("0.80" repeats "0.8"). Throws as
// set_option() does, and Error{invalid_option} that names two values that differ.
void set_option_values(Options& options, std::string_view name,
                       std::span<const std::string> values);

}  // namespace sosie
