#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// Texts of the values at the end of a path (read/path_follower.h), as they are in a JSON object.
// `object`: valid JSON. O(object).
[[nodiscard]] std::vector<std::string_view> json_values(std::string_view object,
                                                        std::string_view path);

// True for digits, with an optional minus sign: JSON integers of any length.
[[nodiscard]] bool is_whole_number(std::string_view number) noexcept;

// True for a number outside the range of double ("1e400"); JSON parsers reject it.
[[nodiscard]] bool is_beyond_double(std::string_view number);

// JSON text in which 0.5 replaces each number outside the range of double. `json`: any bytes; the
// result for broken JSON is broken, too.
[[nodiscard]] std::string with_numbers_in_range(std::string_view json);

// JSON text in which 0.5 replaces these numbers and integers beyond 64 bits, so that simdjson
// accepts it.
[[nodiscard]] std::string with_numbers_in_64_bits(std::string_view json);

// JSON text in which integers beyond 64 bits, which parsers reject or round, are strings of their
// digits. `json`: valid.
[[nodiscard]] std::string quote_large_integers(std::string_view json);

}  // namespace sosie
