#pragma once

#include <string_view>
#include <vector>

namespace sosie {

// Appends the numbers of a list as JSON writes it ("[1, 2.5, -3e-2]"), or as plain text does:
// between blanks, commas or semicolons, with or without brackets. False when it holds anything
// else, an empty place, or a number that is not finite.
[[nodiscard]] bool append_numbers(std::string_view text, std::vector<double>& out);

}  // namespace sosie
