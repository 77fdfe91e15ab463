#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/utf8_letters.h"

namespace sosie::kernels {

// Folds ASCII text for character shingles: A-Z are lower-cased, every run of [ \t\n\v\f\r] and NUL
// becomes one space, or none if `after_blank` indicates one before `out`. Bytes >= 0x80 stay.
// Returns the number of bytes written and updates `after_blank`; 63 bytes after `in` may be read
// and 63 bytes after the output may be changed.
std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept;

// Folds UTF-8 while characters keep their size when folded; white space of all kinds becomes a
// space. `in` begins with a character that joins no other; `taken` receives the amount of text
// read. 64 bytes after `in` may be read.
std::size_t fold_utf8_chars(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                            std::uint8_t* out, bool& after_blank, Taken& taken) noexcept;

}  // namespace sosie::kernels
