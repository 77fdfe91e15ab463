#pragma once

#include <string>
#include <string_view>

#include "data/padded_bytes.h"

namespace sosie {

// Makes `row` acceptable to a JSON parser, in `out`: each ill-formed byte, and each of the three
// bytes of the encoding of an escaped lone surrogate (\ud800 without a low one after it, or a low
// one alone), is replaced by a stand-in: the returned private character + byte, from a block that
// does not occur in the row. Returns 0 if every block occurs.
[[nodiscard]] char32_t repair_json(std::string_view row, PaddedBytes& out);

// Restores the bytes in place of their stand-ins, in `out`.
void restore_bytes(std::string_view text, char32_t stand_ins, std::string& out);

// Restores text with U+FFFD in place of each maximal ill-formed subpart, for ids and other fields
// that are displayed or written.
void restore_readable(std::string_view text, char32_t stand_ins, std::string& out);

}  // namespace sosie
