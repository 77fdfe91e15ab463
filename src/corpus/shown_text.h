#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie {

// Characters of an id and of a place that messages and explanations show.
inline constexpr std::size_t kIdColumns = 48;
inline constexpr std::size_t kPlaceColumns = 60;

// Text from the data as a terminal may show it (core/terminal_text.h), in one line: blanks of any
// kind become one blank each. Longer than `columns` characters: cut, and "..." says so.
[[nodiscard]] std::string shown_text(std::string_view text, std::size_t columns);

// Characters of UTF-8 text.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

}  // namespace sosie
