#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The most likely encoding of a file that begins with `head`: utf-8 if it is well-formed; UTF-16 if
// every other byte is zero and no byte in between is; otherwise the encoding that uchardet finds,
// or a western encoding that fits better. utf-8 if nothing is found.
[[nodiscard]] std::string detect_encoding(std::string_view head);

}  // namespace sosie
