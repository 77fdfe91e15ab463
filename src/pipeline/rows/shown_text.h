#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie {

// Text from the data as a terminal may show it: one line, blanks of any kind as one blank each;
// what could steer the terminal or turn the reading direction is written out (\x1b, \u202e), and so
// are bytes that are no UTF-8. Longer than `columns` characters: cut, and "..." says so.
[[nodiscard]] std::string shown_text(std::string_view text, std::size_t columns);

// Characters of UTF-8 text.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

}  // namespace sosie
