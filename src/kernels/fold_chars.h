#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Folds ASCII text for character shingles: A-Z are lower-cased, every run of [ \t\n\v\f\r] and NUL
// becomes one blank, none when `after_blank` says that one stands before `out`. Bytes >= 0x80 stay.
// Returns how many bytes were written and sets `after_blank` for what follows; 63 bytes behind `in`
// may be read and behind what is written may be changed.
std::size_t fold_ascii_chars(const std::uint8_t* in, std::size_t size, std::uint8_t* out,
                             bool& after_blank) noexcept;

}  // namespace sosie::kernels
