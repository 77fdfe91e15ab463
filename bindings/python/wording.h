#pragma once

#include <string>
#include <string_view>

#include "sosie/error.h"

namespace sosie::python {

// "on_bad_row", of the option "on-bad-row".
[[nodiscard]] std::string keyword_of(std::string_view option);

// The library's text with options, written there as --name, turned into keywords. Commands in
// backticks are not changed.
[[nodiscard]] std::string in_keywords(std::string_view text);

// The line with the subject and the problem: "recall=1: method lsh cannot guarantee every pair".
// Called with the interpreter's lock held.
[[nodiscard]] std::string message_of(const Error& error);

}  // namespace sosie::python
