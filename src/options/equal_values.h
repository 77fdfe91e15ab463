#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// True for two texts of an option's value that are equal, or one number: "0.8" and ".80".
[[nodiscard]] bool equal_values(const std::string& left, const std::string& right);

// True for two values of one option that say the same. Numbers are compared as numbers, in shapes
// such as words:5 and 14x8, too; encodings by all their names; fields called "1" and "1.0" are two.
// An empty value is the default.
[[nodiscard]] bool equal_values_of(std::string_view option, const std::string& left,
                                   const std::string& right);

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// Writes `values` as `written` if both say the same; an option that one of them lacks has its
// default there.
void take_spelling(const NamedValues& written, NamedValues& values);

// Gives an option the value that it has in `written`: none where it has none there.
void take_value(const NamedValues& written, std::string_view option, NamedValues& values);

}  // namespace sosie
