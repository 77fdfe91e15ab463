#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// Text from the data in a form safe for pages: & < > " ' as references, ill-formed UTF-8 and
// noncharacters as U+FFFD, control characters as the pictures of U+2400 (escape is U+241B),
// invisible characters and those that change the direction of writing as \u{202E}. White space is
// kept. Truncated to `characters` characters with U+2026 at the end if there are more.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t characters = kAnyLength);

// Escapes text as a single line: runs of white space become one space, none at either end.
[[nodiscard]] std::string html_line(std::string_view text, std::size_t characters = kAnyLength);

// Probability of finding a pair: "99.23 %", and ">99.99 %" if nearly but not fully certain.
[[nodiscard]] std::string recall_text(double probability);

}  // namespace sosie
