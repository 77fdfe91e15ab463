#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// Text from the data as a page may hold it, whatever it is: & < > " ' as references, ill-formed
// UTF-8 and noncharacters as U+FFFD, control characters as the pictures of U+2400 (escape is
// U+241B), characters that turn the direction of writing or cannot be seen at all as \u{202E}.
// White space is kept. Ends with U+2026 after `characters` characters if there are more.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t characters = kAnyLength);

// Escapes text as one line: runs of white space become one blank, none stands at either end.
[[nodiscard]] std::string html_line(std::string_view text, std::size_t characters = kAnyLength);

// Probability to find a pair: "99.23 %", and ">99.99 %" for what is nearly but not certain.
[[nodiscard]] std::string recall_text(double probability);

}  // namespace sosie
