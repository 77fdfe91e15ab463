// Builds the page of `sosie serve` and its data as a single file.
#include "write/offline_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "core/terminal_text.h"
#include "core/utf8.h"
#include "sosie/page_files.h"
#include "write/html_text.h"

namespace sosie {
namespace {

// A line or paragraph separator would end a line of the script.
bool is_escaped(char32_t c) noexcept {
  return c == '<' || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || is_hidden(c);
}

void append_escape(std::string& out, char32_t c) {
  const auto unit = [&](std::uint32_t code) { out += fmt::format("\\u{:04x}", code); };
  if (c < 0x10000) return unit(c);
  unit(0xD800 + ((static_cast<std::uint32_t>(c) - 0x10000) >> 10U));
  unit(0xDC00 + ((static_cast<std::uint32_t>(c) - 0x10000) & 0x3FFU));
}

constexpr std::size_t kNameCharacters = 80;

std::string name_html(const std::string& text) {
  return fmt::format("<bdi>{}</bdi>", html_line(text, kNameCharacters));
}

// "a.csv", "a.csv and b.csv", "a.csv, b.csv and 7 more", in HTML.
std::string names_html(const std::vector<std::string>& names) {
  constexpr std::size_t kNamed = 2;
  std::string out;
  for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i) {
    if (i > 0) out += names.size() > kNamed ? ", " : " and ";
    out += html_line(names[i], kNameCharacters);
  }
  if (names.size() > kNamed) out += fmt::format(" and {} more", count_text(names.size() - kNamed));
  return out;
}

std::string row_html(const OfflinePage::Row& row) {
  if (row.file.empty()) return name_html(row.id);
  return fmt::format("{} <small>{}, row {}</small>", name_html(row.id), name_html(row.file),
                     row.row);
}

std::string pairs_html(const OfflinePage& page) {
  if (page.pairs.empty()) return {};
  std::string out = fmt::format(
      "<table class=\"plain\">\n<caption>{}</caption>\n<thead><tr><th scope=\"col\">{}</th>"
      "<th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead>\n<tbody>\n",
      html_line(page.pairs_title), html_line(page.value_name), html_line(page.left_name),
      html_line(page.right_name));
  for (const OfflinePage::Pair& pair : page.pairs) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                       html_line(pair.value), row_html(pair.left), row_html(pair.right));
  }
  return out + "</tbody>\n</table>\n";
}

// The page shown if scripts are disabled; otherwise, its script replaces this with its views.
std::string summary_html(const OfflinePage& page, const std::string& names) {
  std::string out = fmt::format("<main>\n<h1>{}</h1>\n", html_line(page.heading));
  if (!names.empty()) out += fmt::format("<p class=\"subject\"><bdi>{}</bdi></p>\n", names);
  out += fmt::format("<p id=\"resources\" class=\"soft\">{}</p>\n<table>\n<tbody>\n",
                     html_line(page.resources));
  for (const auto& [name, value] : page.counts) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html_line(name),
                       html_line(value));
  }
  out += fmt::format(
      "</tbody>\n</table>\n<p>{}</p>\n<p>This command reproduces the run (sosie {}):</p>\n"
      "<pre>{}</pre>\n",
      html_line(page.claim), html_line(page.version), html_text(page.command));
  return out + pairs_html(page) +
         "<p class=\"soft\">With scripts enabled, this page shows more, including the words that "
         "differ.</p>\n</main>\n";
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
  const std::string names = names_html(page.inputs);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Sosie: {}{}</title>\n<style>",
      files.script.hash, files.style.hash, html_line(page.title),
      names.empty() ? names : ": " + names);
  out += files.style.bytes;
  out += "</style>\n</head>\n<body>\n<div id=\"page\">\n" + summary_html(page, names) +
         "</div>\n<script type=\"application/json\" id=\"data\">";
  out += script_json(page.data);
  out += "</script>\n<script type=\"module\">";
  out += files.script.bytes;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace sosie
