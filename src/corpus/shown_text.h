#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sosie {

// Maximum number of characters of an id and of a place in messages and explanations.
inline constexpr std::size_t kIdColumns = 48;
inline constexpr std::size_t kPlaceColumns = 60;

// Text from the data, on one line and safe to print on a terminal (core/terminal_text.h); each
// white-space character becomes a space. Text with more than `columns` characters is cut and ends
// with "...".
[[nodiscard]] std::string shown_text(std::string_view text, std::size_t columns);

// Number of characters of a UTF-8 text.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

}  // namespace sosie
