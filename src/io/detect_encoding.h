#pragma once

#include <string>
#include <string_view>

namespace sosie {

// The name of the encoding that a file which begins with `head` is most likely in: utf-8 when it is
// well-formed, UTF-16 when zeros stand in every other place alone, else what uchardet finds, or a
// western encoding that fits better; utf-8 when nothing is found.
[[nodiscard]] std::string detect_encoding(std::string_view head);

}  // namespace sosie
