// Escapes text from the data for HTML.
#include "write/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/terminal_text.h"
#include "core/utf8.h"

namespace sosie {
namespace {

bool is_white_space(char32_t c) noexcept {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

bool is_noncharacter(char32_t c) noexcept {
  return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

void append_encoded(std::string& out, char32_t c) {
  std::array<unsigned char, 4> bytes{};
  const std::size_t size = encode_code_point(c, bytes.data());
  out.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
}

void append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    case '\n':
    case '\t':
    case ' ':
      out += static_cast<char>(c);
      return;
    default:
      break;
  }
  if (is_noncharacter(c)) {
    append_encoded(out, kReplacementCharacter);
  } else if (c < 0x20) {
    append_encoded(out, 0x2400 + c);
  } else if (c == 0x7F) {
    append_encoded(out, 0x2421);
  } else if ((c >= 0x80 && c < 0xA0) || is_hidden(c)) {
    out += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(c));
  } else {
    append_encoded(out, c);
  }
}

template <bool OneLine>
std::string convert(std::string_view text, std::size_t characters) {
  std::string out;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const unsigned char* end = at + text.size();
  std::size_t used = 0;
  bool blank_due = false;
  while (at < end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    at += decoded.size;
    if (OneLine && is_white_space(decoded.code_point)) {
      blank_due = used > 0;
      continue;
    }
    used += blank_due ? 2 : 1;
    if (used > characters) {
      append_encoded(out, 0x2026);
      break;
    }
    if (blank_due) out += ' ';
    blank_due = false;
    append_escaped(out, decoded.code_point);
  }
  return out;
}

}  // namespace

std::string html_text(std::string_view text, std::size_t characters) {
  return convert<false>(text, characters);
}

std::string html_line(std::string_view text, std::size_t characters) {
  return convert<true>(text, characters);
}

std::string recall_text(double probability) {
  if (probability < 1 && probability >= 0.99995) return ">99.99 %";
  return probability == 1 ? "100 %" : fmt::format("{:.2f} %", 100 * probability);
}

}  // namespace sosie
