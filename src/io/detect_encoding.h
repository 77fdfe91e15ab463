#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The name of the encoding that a file which begins with `head` is most likely in: utf-8 when it is
// well-formed, UTF-16 when every other byte is zero, else what uchardet finds; utf-8 when it finds
// nothing.
[[nodiscard]] std::string detect_encoding(std::string_view head);

}  // namespace sosie
