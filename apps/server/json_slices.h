#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace sosie::server {

// The values in JSON text in their original form, so that numbers keep their digits. The text must
// be valid.

// Calls take(name, value) for each member of an object, and take(value) for each element of a list.
void for_each_member(
    std::string_view object,
    const std::function<void(const std::string& name, std::string_view value)>& take);
void for_each_element(std::string_view list,
                      const std::function<void(std::string_view value)>& take);

[[nodiscard]] inline bool is_object(std::string_view value) { return value.starts_with('{'); }
[[nodiscard]] inline bool is_list(std::string_view value) { return value.starts_with('['); }
[[nodiscard]] inline bool is_string(std::string_view value) { return value.starts_with('"'); }
[[nodiscard]] inline bool is_boolean(std::string_view value) {
  return value == "true" || value == "false";
}
[[nodiscard]] bool is_number(std::string_view value);
// True for a number without a fraction or an exponent.
[[nodiscard]] bool is_whole_number(std::string_view value);

// The text represented by a JSON string, with U+FFFD for a lone surrogate.
[[nodiscard]] std::string decoded(std::string_view string);

// The value without leading and trailing white space, and with spaces in place of line ends.
[[nodiscard]] std::string on_one_line(std::string_view value);

// A copy in which short numbers replace whole numbers beyond 64 bits, which parsers reject, at the
// same positions, so that a parser's verdict on the copy's syntax also applies to the text.
[[nodiscard]] std::string with_short_numbers(std::string_view json);

// A copy of the same size in which the escape of U+FFFD replaces each escape of a lone surrogate
// (\ud800), which parsers reject.
[[nodiscard]] std::string with_whole_characters(std::string_view json);

}  // namespace sosie::server
