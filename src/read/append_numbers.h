#pragma once

#include <string_view>
#include <vector>

namespace sosie {

// Appends the numbers of a list as JSON writes it ("[1, 2.5, -3e-2]"), or as plain text does:
// between blanks, commas or semicolons, with or without brackets. False when it holds anything
// else, an empty place, a number that is not finite, or when it mixes separators.
[[nodiscard]] bool append_numbers(std::string_view text, std::vector<double>& out);

// True for a list in which some numbers have a comma or a semicolon between them and others
// another separator: "1,5 2,0" may be two numbers with decimal commas, or four.
[[nodiscard]] bool mixes_separators(std::string_view text);

}  // namespace sosie
