#pragma once

#include <string_view>

#include "data/padded_bytes.h"

namespace sosie {

// `row` with every ill-formed UTF-8 sequence replaced by U+FFFD (one for each maximal ill-formed
// subpart, Unicode 15.0 section 3.9), in `out`.
void repair_utf8(std::string_view row, PaddedBytes& out);

// Replaces escapes of lone surrogates in JSON text (\ud800 without a low one behind it, or a low
// one alone) by \ufffd, in place.
void repair_surrogates(PaddedBytes& json);

}  // namespace sosie
