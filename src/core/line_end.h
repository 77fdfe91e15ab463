#pragma once

#include <string_view>

namespace sosie {

// Returns the line without its line end: "\n", "\r\n", or "\r\r\n", which Windows programs produce
// when they write "\r\n" in text mode.
[[nodiscard]] constexpr std::string_view without_line_end(std::string_view line) noexcept {
  if (line.ends_with('\n')) line.remove_suffix(1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace sosie
