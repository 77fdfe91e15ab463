#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// True for equal texts of option values and for equal numbers: "0.8" and ".80".
[[nodiscard]] bool equal_values(const std::string& left, const std::string& right);

// True for two equivalent values of an option. Numbers are compared as numbers, also in forms such
// as words:5 and 14x8; encodings by all their names; fields named "1" and "1.0" are different. An
// empty value is the default.
[[nodiscard]] bool equal_values_of(std::string_view option, const std::string& left,
                                   const std::string& right);

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// Replaces `values` by the spelling in `written` if both are equivalent; an option that one of them
// lacks has its default there.
void take_spelling(const NamedValues& written, NamedValues& values);

// Gives an option its value in `written`: none if it has none there.
void take_value(const NamedValues& written, std::string_view option, NamedValues& values);

}  // namespace sosie
