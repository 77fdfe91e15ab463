#pragma once

#include <cstddef>
#include <string_view>

namespace sosie {

// The longest prefix of a UTF-8 text that has at most `bytes` bytes and ends between characters.
[[nodiscard]] inline std::string_view cut_text(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace sosie
