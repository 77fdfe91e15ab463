// Escapes text from the data for terminals, so that it cannot control the terminal or hide.
#include "core/terminal_text.h"

#include <fmt/format.h>

#include "core/utf8.h"

namespace sosie {
namespace {

bool is_control(char32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Joiners, and line and paragraph separators, in addition to the hidden characters.
bool has_no_width(char32_t c) noexcept {
  return c == 0x34F || c == 0x200C || c == 0x200D || c == 0x2028 || c == 0x2029;
}

}  // namespace

bool is_hidden(char32_t c) noexcept {
  return c == 0xAD || c == 0x61C || c == 0x180E || c == 0x200B || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

std::string terminal_character(std::string_view bytes, char32_t code_point) {
  if (is_hidden(code_point) || has_no_width(code_point)) {
    return fmt::format("\\u{:04x}", static_cast<unsigned>(code_point));
  }
  const bool ill_formed = code_point == kReplacementCharacter && bytes != "\xEF\xBF\xBD";
  if (!ill_formed && !is_control(code_point)) return std::string(bytes);
  std::string out;
  for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return out;
}

void append_terminal_text(std::string& out, std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
    out += terminal_character(text.substr(at, decoded.size), decoded.code_point);
    at += decoded.size;
  }
}

}  // namespace sosie
