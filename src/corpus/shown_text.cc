// Truncates text from the data to a number of terminal columns.
#include "corpus/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/terminal_text.h"
#include "core/utf8.h"
#include "sosie/error.h"

namespace sosie {
namespace {

bool is_white_space(char32_t c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string shown_text(std::string_view text, std::size_t columns) {
  constexpr std::string_view kCut = "...";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::string out;
  std::size_t used = 0;
  std::size_t cut_at = 0;  // where the mark would still fit
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
    const std::string shown =
        is_white_space(decoded.code_point)
            ? " "
            : terminal_character(text.substr(at, decoded.size), decoded.code_point);
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

std::string shown_error(const Error& error) {
  constexpr std::size_t kColumns = 2000;  // an id may be of any length
  std::string text = shown_text(error.what(), kColumns) + "\n";
  if (!error.hint().empty()) text += fmt::format("  {}\n", shown_text(error.hint(), kColumns));
  return text;
}

}  // namespace sosie
