#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/utf8_letters.h"

namespace sosie::kernels {

// Folds ASCII text for character shingles: A-Z become lower case, and every run of [ \t
// \v\f\r] and NUL becomes one space, or nothing if `after_blank` says that a space already precedes
// `out`. Bytes >= 0x80 remain unchanged. Returns the number of bytes written and updates
// `after_blank`. May read up to 63 bytes after `in` and change up to 63 bytes after the output.
std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept;

// Folds UTF-8 text up to the first character whose size changes when it is folded; white space of
// any kind becomes a space. `in` must begin with a character that does not combine with a preceding
// one. `taken` receives the number of bytes consumed. May read up to 64 bytes after `in`.
std::size_t fold_utf8_chars(const std::uint8_t* in, std::size_t size, const Utf8Letters& letters,
                            std::uint8_t* out, bool& after_blank, Taken& taken) noexcept;

}  // namespace sosie::kernels
