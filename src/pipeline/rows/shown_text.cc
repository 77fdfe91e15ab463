#include "pipeline/rows/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/utf8.h"

namespace sosie {
namespace {

// Marks, embeddings, overrides and isolates of bidirectional text, and line separators.
bool turns_text(char32_t c) noexcept {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool is_control(char32_t c) noexcept { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

bool is_blank(char32_t c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

// One character of `bytes`, ready to be shown.
std::string shown_character(std::string_view bytes, char32_t code_point) {
  if (is_blank(code_point)) return " ";
  if (turns_text(code_point)) return fmt::format("\\u{:04x}", static_cast<unsigned>(code_point));
  const bool ill_formed = code_point == kReplacementCharacter && bytes != "\xEF\xBF\xBD";
  if (!ill_formed && !is_control(code_point)) return std::string(bytes);
  std::string out;
  for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return out;
}

}  // namespace

std::string shown_text(std::string_view text, std::size_t columns) {
  constexpr std::string_view kCut = "...";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::string out;
  std::size_t used = 0;
  std::size_t cut_at = 0;  // where the mark would still fit
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
    const std::string shown = shown_character(text.substr(at, decoded.size), decoded.code_point);
    const std::size_t width = count_characters(shown);
    if (used + width > columns) return out.substr(0, cut_at) + std::string(kCut);
    out += shown;
    used += width;
    at += decoded.size;
    if (used + kCut.size() <= columns) cut_at = out.size();
  }
  return out;
}

std::size_t count_characters(std::string_view text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace sosie
