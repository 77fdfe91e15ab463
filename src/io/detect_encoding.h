#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The most likely encoding of a file that begins with `head`: utf-8 if it is well-formed; UTF-16 if
// every other byte, and no byte in between, is zero; else the result of uchardet, or a western
// encoding that fits better; utf-8 if nothing is found.
[[nodiscard]] std::string detect_encoding(std::string_view head);

}  // namespace sosie
