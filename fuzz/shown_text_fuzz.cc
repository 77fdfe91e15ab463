// For any text, the HTML form cannot open a tag or end an attribute, and the terminal form has no
// control sequences; both are well-formed UTF-8 and not longer than requested. The first byte is
// the requested length.
#include <algorithm>
#include <array>
#include <string>

#include "core/utf8.h"
#include "corpus/shown_text.h"
#include "fuzz/input.h"
#include "reference/normalize.h"
#include "write/html_text.h"

namespace {

using namespace sosie;
using fuzz::require;

constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

std::u32string code_points(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* end = at + text.size();
  std::u32string out;
  while (at != end) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    out += decoded.code_point;
    at += decoded.size;
  }
  return out;
}

// True for control characters, and for characters that change the writing direction.
bool steers(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
         c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void check_shown(std::string_view text, std::size_t columns) {
  const std::string shown = shown_text(text, columns);
  require(reference::replace_ill_formed(shown) == shown);
  for (const char32_t c : code_points(shown)) require(!steers(c));
  require(count_characters(shown) == code_points(shown).size());
  require(count_characters(shown) <= std::max<std::size_t>(columns, 3));
  const std::string whole = shown_text(text, kAnyLength);
  require(whole.starts_with(shown) ||
          (shown.ends_with("...") && whole.starts_with(shown.substr(0, shown.size() - 3))));
}

// The text with each reference replaced by the character it stands for.
std::string unescaped(std::string_view html) {
  constexpr std::array<std::string_view, 5> kReferences = {"&amp;", "&lt;", "&gt;", "&quot;",
                                                           "&#39;"};
  constexpr std::string_view kMeant = "&<>\"'";
  std::string out;
  while (!html.empty()) {
    require(kMeant.substr(1).find(html.front()) == std::string_view::npos);
    const auto* reference =
        std::find_if(kReferences.begin(), kReferences.end(),
                     [&](std::string_view name) { return html.starts_with(name); });
    const bool is_reference = reference != kReferences.end();
    require(is_reference || html.front() != '&');
    out += is_reference ? kMeant[static_cast<std::size_t>(reference - kReferences.begin())]
                        : html.front();
    html.remove_prefix(is_reference ? reference->size() : 1);
  }
  return out;
}

// Checks the properties common to html_text and html_line: no markup, nothing invisible.
std::u32string checked_html(std::string_view html) {
  const std::string plain = unescaped(html);
  require(reference::replace_ill_formed(plain) == plain);
  const std::u32string characters = code_points(plain);
  for (const char32_t c : characters) {
    require(!steers(c) || c == '\n' || c == '\t' || c == 0x2028 || c == 0x2029);
    require((c & 0xFFFE) != 0xFFFE && c != 0xFEFF && c != 0x200B);
  }
  return characters;
}

void check_html(std::string_view text, std::size_t characters) {
  const std::string html = html_text(text, characters);
  const std::string line = html_line(text, characters);
  // An escaped character such as \u{202E} counts as one but may take up to ten.
  require(checked_html(html).size() <= 10 * characters + 1);
  require(checked_html(line).size() <= 10 * characters + 1);
  require(line.find_first_of("\n\t") == std::string::npos && line.find("  ") == std::string::npos);
  require(!line.starts_with(' ') && !line.ends_with(' '));
  if (!html.ends_with(kEllipsis)) require(html == html_text(text));
  if (!line.ends_with(kEllipsis)) require(line == html_line(text));
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7F; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) return;
  require(unescaped(html_text(text)) == text);
  require(checked_html(html).size() <= characters + 1);  // the mark is one
  require(checked_html(line).size() <= characters + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::size_t length = input.byte();
  check_shown(input.rest(), length);
  check_html(input.rest(), length);
  return 0;
}
