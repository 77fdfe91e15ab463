#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/error.h"

namespace sosie::server {

// A string with quotes. Bytes that are not UTF-8 are replaced.
void append_json(std::string_view text, std::string& out);
[[nodiscard]] std::string json_text(std::string_view text);
// Appends a number in JSON form; null if JSON cannot represent it.
void append_json(double number, std::string& out);

// "a%20b" as "a b"; empty if a percent sign is followed by anything else.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

// Names and values after the '?' in an address: "top=3&text=a+b". Throws Error{invalid_option} for
// a value that is not encoded correctly.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> address_fields(
    std::string_view query);

// {"error": {"reason": ...}}, with the place and the option (under its JSON name). `options`:
// options that the request accepts, which messages call fields; see sosie/reworded.h.
[[nodiscard]] std::string error_json(std::string_view reason);
[[nodiscard]] std::string error_json(const Error& error, std::span<const std::string_view> options);
[[nodiscard]] int status_of(const Error& error);

// Lines of a plan for users of HTTP: options that are fields have the names of the fields; clauses
// about other options are omitted, and so are lines that become empty.
[[nodiscard]] std::string lines_of_request(std::string_view lines,
                                           std::span<const std::string_view> options);

// "on-bad-row" as "on_bad_row", and vice versa.
[[nodiscard]] std::string field_name(std::string_view option);
[[nodiscard]] std::string option_name(std::string_view field);

}  // namespace sosie::server
