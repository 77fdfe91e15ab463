#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// Text from the data in a form that is safe in HTML pages: & < > " ' become references, ill-formed
// UTF-8 and noncharacters U+FFFD, control characters their pictures from U+2400 (escape is U+241B),
// and characters that are invisible or change the direction of writing \u{202E}. White space is
// kept. If there are more than `characters` characters, the text is cut and ends with U+2026.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t characters = kAnyLength);

// Escapes text as a single line: runs of white space become one space, none at either end.
[[nodiscard]] std::string html_line(std::string_view text, std::size_t characters = kAnyLength);

// Probability of finding a pair: "99.23 %", and ">99.99 %" if nearly but not fully certain.
[[nodiscard]] std::string recall_text(double probability);

}  // namespace sosie
