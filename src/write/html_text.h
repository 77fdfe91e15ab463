#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sosie {

inline constexpr std::size_t kAnyLength = ~std::size_t{0};

// Makes text from the data safe for HTML pages. & < > " ' become character references; ill-formed
// UTF-8 and noncharacters become U+FFFD; control characters become their pictures at U+2400 and
// above (escape is U+241B); characters that are invisible or change the direction of writing appear
// as \u{202E}. White space is kept. A text with more than `characters` characters is cut and ends
// with U+2026.
[[nodiscard]] std::string html_text(std::string_view text, std::size_t characters = kAnyLength);

// Escapes text as a single line: each run of white space becomes one space; both ends are trimmed.
[[nodiscard]] std::string html_line(std::string_view text, std::size_t characters = kAnyLength);

// Probability of finding a pair: "99.23 %", and ">99.99 %" if nearly but not fully certain.
[[nodiscard]] std::string recall_text(double probability);

}  // namespace sosie
