#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// The values at the end of a path (read/path_follower.h), as they are written in a JSON object.
// `object` must be valid JSON. O(object).
[[nodiscard]] std::vector<std::string_view> json_values(std::string_view object,
                                                        std::string_view path);

// True for digits, with an optional minus sign: JSON integers of any length.
[[nodiscard]] bool is_whole_number(std::string_view number) noexcept;

// True for a number outside the range of double ("1e400"); JSON parsers reject it.
[[nodiscard]] bool is_beyond_double(std::string_view number);

// Replaces every number outside the range of double with 0.5. `json` may be any bytes; broken JSON
// remains broken.
[[nodiscard]] std::string with_numbers_in_range(std::string_view json);

// Replaces such numbers, and integers beyond 64 bits, with 0.5, so that simdjson accepts the text.
[[nodiscard]] std::string with_numbers_in_64_bits(std::string_view json);

// Replaces integers beyond 64 bits, which parsers reject or round, with strings of their digits.
// `json` must be valid.
[[nodiscard]] std::string quote_large_integers(std::string_view json);

}  // namespace sosie
