#pragma once

#include <string_view>

namespace sosie {

// A line without what ends it: "\n", "\r\n", or "\r\r\n", which a program for Windows makes of
// "\r\n" where it writes it as text.
[[nodiscard]] constexpr std::string_view without_line_end(std::string_view line) noexcept {
  if (line.ends_with('\n')) line.remove_suffix(1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace sosie
