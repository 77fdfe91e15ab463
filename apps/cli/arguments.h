#pragma once

#include <span>
#include <string>

#include "sosie/options.h"

namespace sosie::cli {

// Reads the arguments after the verb. Flags come from the option table and must not be abbreviated.
// Throws Error{invalid_option}.
[[nodiscard]] Options read_arguments(const Verb& verb, std::span<char* const> arguments);

}  // namespace sosie::cli
