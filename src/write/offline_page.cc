// Puts the page of `sosie serve` and its data into one file.
#include "write/offline_page.h"

#include <fmt/format.h>

#include "core/terminal_text.h"
#include "core/utf8.h"
#include "sosie/page_files.h"

namespace sosie {
namespace {

// A line or paragraph separator ends a line of a script.
bool is_escaped(char32_t c) noexcept {
  return c == '<' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || is_hidden(c);
}

void append_escape(std::string& out, char32_t c) {
  const auto unit = [&](std::uint32_t code) { out += fmt::format("\\u{:04x}", code); };
  if (c < 0x10000) return unit(c);
  unit(0xD800 + ((static_cast<std::uint32_t>(c) - 0x10000) >> 10U));
  unit(0xDC00 + ((static_cast<std::uint32_t>(c) - 0x10000) & 0x3FFU));
}

}  // namespace

std::string script_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  const auto* bytes = reinterpret_cast<const unsigned char*>(json.data());
  for (std::size_t at = 0; at < json.size();) {
    const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + json.size());
    if (is_escaped(decoded.code_point)) {
      append_escape(out, decoded.code_point);
    } else {
      out += json.substr(at, decoded.size);
    }
    at += decoded.size;
  }
  return out;
}

std::string offline_page(const OfflinePage& page) {
  const PageFiles& files = page_files();
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>",
      files.script.hash, files.style.hash, page.title);
  out += files.style.bytes;
  out += "</style>\n</head>\n<body>\n<div id=\"page\">\n" + page.summary +
         "</div>\n<script type=\"application/json\" id=\"data\">";
  out += script_json(page.data);
  out += "</script>\n<script type=\"module\">";
  out += files.script.bytes;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace sosie
