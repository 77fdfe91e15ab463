#pragma once

#include <string>
#include <string_view>

#include "data/padded_bytes.h"

namespace sosie {

// Writes to `out` a version of `row` that a JSON parser accepts. Each ill-formed byte, and each of
// the three bytes that encode an escaped lone surrogate (\ud800 without a low surrogate after it,
// or a low surrogate alone), is replaced with a stand-in: the returned private character + byte,
// from a block that does not occur in the row. Returns 0 if every block occurs.
[[nodiscard]] char32_t repair_json(std::string_view row, PaddedBytes& out);

// Writes the text to `out` with the original bytes in place of their stand-ins.
void restore_bytes(std::string_view text, char32_t stand_ins, std::string& out);

// Writes the text to `out` with U+FFFD in place of each maximal ill-formed subpart, for text that
// is displayed, or that is JSON itself.
void restore_readable(std::string_view text, char32_t stand_ins, std::string& out);

}  // namespace sosie
