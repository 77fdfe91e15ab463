#pragma once

#include <string>
#include <string_view>

#include "data/padded_bytes.h"

namespace sosie {

// `row` as a JSON parser takes it, in `out`: each ill-formed byte, and each of the three bytes that
// the escape of a lone surrogate (\ud800 without a low one behind it, or a low one alone) would be
// written as, is replaced by a stand-in: the returned private character + byte, of a block that the
// row does not hold. 0 when the row holds every block.
[[nodiscard]] char32_t repair_json(std::string_view row, PaddedBytes& out);

// The text with the bytes in place of their stand-ins, in `out`.
void restore_bytes(std::string_view text, char32_t stand_ins, std::string& out);

// Restores text with U+FFFD in place of each maximal ill-formed subpart, for text to show or write:
// ids and other fields.
void restore_readable(std::string_view text, char32_t stand_ins, std::string& out);

}  // namespace sosie
