#pragma once

#include <string>
#include <string_view>

#include "sosie/error.h"

namespace sosie::python {

// "on_bad_row", of the option "on-bad-row".
[[nodiscard]] std::string keyword_of(std::string_view option);

// A text of the library in which options, written as --name there, become keywords; see
// sosie/reworded.h.
[[nodiscard]] std::string in_keywords(std::string_view text);

// The line with the subject and the problem: "recall=1: method lsh cannot guarantee every pair".
// Called with the interpreter's lock held.
[[nodiscard]] std::string message_of(const Error& error);

}  // namespace sosie::python
