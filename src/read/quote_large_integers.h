#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// Texts of the values that a path leads to (read/path_follower.h), as they stand in a JSON object.
// `object` is valid JSON. O(object).
[[nodiscard]] std::vector<std::string_view> json_values(std::string_view object,
                                                        std::string_view path);

// True for digits, perhaps behind a minus: JSON's whole numbers, of any length.
[[nodiscard]] bool is_whole_number(std::string_view number) noexcept;

// True for a number whose size no double holds ("1e400"); parsers of JSON refuse it.
[[nodiscard]] bool is_beyond_double(std::string_view number);

// JSON text in which 0.5 stands for each number whose size no double holds. `json`: any bytes; of
// broken JSON the result is broken too.
[[nodiscard]] std::string with_numbers_in_range(std::string_view json);

// JSON text in which 0.5 stands for these and for whole numbers beyond 64 bits, as simdjson takes
// it.
[[nodiscard]] std::string with_numbers_in_64_bits(std::string_view json);

// JSON text whose whole numbers beyond 64 bits, which parsers refuse or round, are strings of their
// digits. `json` is valid.
[[nodiscard]] std::string quote_large_integers(std::string_view json);

}  // namespace sosie
