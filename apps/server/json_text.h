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
// A number as JSON has it; null for one that JSON has not.
void append_json(double number, std::string& out);

// "a%20b" as "a b"; nothing where a percent sign is followed by something else.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

// Names and values behind the '?' of an address: "top=3&text=a+b". Throws Error{invalid_option}
// for a value that is not encoded as addresses are.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> address_fields(
    std::string_view query);

// {"error": {"reason": ...}}, with the place and the option (by its name in JSON) that it is about.
// `options`: names of those that the request takes; they are called fields, and clauses of the hint
// about other options of the command line are left out.
[[nodiscard]] std::string error_json(std::string_view reason);
[[nodiscard]] std::string error_json(const Error& error, std::span<const std::string_view> options);
[[nodiscard]] int status_of(const Error& error);

// Lines of a plan for who asks by HTTP: options that are fields are called so, and clauses about
// others are left out, with the line where none is left.
[[nodiscard]] std::string lines_of_request(std::string_view lines,
                                           std::span<const std::string_view> options);

// "on-bad-row" as "on_bad_row", and back.
[[nodiscard]] std::string field_name(std::string_view option);
[[nodiscard]] std::string option_name(std::string_view field);

}  // namespace sosie::server
