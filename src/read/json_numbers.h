#pragma once

#include <string>
#include <string_view>

namespace sosie {

// Text of a member's value as it stands in a JSON object. `path` is the member's name, else "a.b"
// is b in the object a. Of members with one name the last counts; empty if there is none. `object`
// is valid JSON. O(object).
[[nodiscard]] std::string_view json_member(std::string_view object, std::string_view path);

// True for digits, perhaps behind a minus: JSON's whole numbers, of any length.
[[nodiscard]] bool is_whole_number(std::string_view number) noexcept;

// JSON text whose whole numbers beyond 64 bits, which parsers refuse or round, are strings of their
// digits. `json` is valid.
[[nodiscard]] std::string quote_large_integers(std::string_view json);

}  // namespace sosie
