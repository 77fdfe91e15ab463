#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// True for equal texts of option values and for equal numbers: "0.8" and ".80".
[[nodiscard]] bool equal_values(const std::string& left, const std::string& right);

// True if two values of an option are equivalent. Numbers are compared as numbers, even inside
// values such as words:5 and 14x8; encodings are compared by all their names; fields named "1" and
// "1.0" are different. An empty value stands for the default.
[[nodiscard]] bool equal_values_of(std::string_view option, const std::string& left,
                                   const std::string& right);

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// Replaces `values` with the spelling in `written` if the two are equivalent. An option that is
// missing from one of them has its default value there.
void take_spelling(const NamedValues& written, NamedValues& values);

// Sets an option in `values` to its value in `written`, or removes it if `written` lacks it.
void take_value(const NamedValues& written, std::string_view option, NamedValues& values);

}  // namespace sosie
