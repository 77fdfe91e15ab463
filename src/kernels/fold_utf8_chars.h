#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/utf8_letters.h"

namespace sosie::kernels {

// Folds ASCII text for character shingles: A-Z are lower-cased, every run of [ \t\n\v\f\r] and NUL
// becomes one blank, none when `after_blank` says that one stands before `out`. Bytes >= 0x80 stay.
// Returns how many bytes were written and sets `after_blank` for what follows; 63 bytes behind `in`
// may be read and behind what is written may be changed.
std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept;

// Folds UTF-8, as far as characters keep their size when folded; white space of all kinds becomes a
// blank. `in` begins with a character that joins no other; `taken` says how much of it was read. 64
// bytes behind `in` may be read.
std::size_t fold_utf8_chars(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                            std::uint8_t* out, bool& after_blank, Taken& taken) noexcept;

}  // namespace sosie::kernels
