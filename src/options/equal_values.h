#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// True for two texts of an option's value that are equal, or one number: "0.8" and ".80".
[[nodiscard]] bool equal_values(const std::string& left, const std::string& right);

// Likewise of one option, whose values are compared as numbers only where they are: fields called
// "1" and "1.0" are two.
[[nodiscard]] bool equal_values_of(std::string_view option, const std::string& left,
                                   const std::string& right);

using NamedValues = std::vector<std::pair<std::string, std::string>>;

// Gives each value that equals the one of its option in `written` the spelling it has there.
void take_spelling(const NamedValues& written, NamedValues& values);

}  // namespace sosie
