// Normalised text and its words equal the results of the plain definition (ascii) and of utf8proc
// (unicode). The first byte is the number of times the text is repeated, so small inputs can fill
// buffers.
#include <algorithm>
#include <string>
#include <vector>
#ifdef SOSIE_HAVE_UTF8PROC
#include <utf8proc.h>
#endif

#include "core/utf8.h"
#include "fuzz/input.h"
#include "reference/normalize.h"
#include "represent/folded_text.h"
#include "represent/unicode_tables.h"

namespace {

using namespace sosie;
using fuzz::require;
using Words = std::vector<std::string>;

constexpr std::size_t kMostBytes = 5000;  // more than any piece or batch

Words words(std::string_view text, TokenMode mode, char padding) {
  PaddedBytes bytes;
  FoldedText folded;
  fold_words(fuzz::padded(text, padding, bytes), mode, folded);
  Words out;
  std::uint32_t last_end = 0;
  for (const TokenSpan& token : folded.tokens) {
    require(last_end <= token.begin && token.begin < token.end);
    last_end = token.end;
    require(token.end <= folded.bytes.size());
    out.emplace_back(folded.bytes.view().substr(token.begin, token.end - token.begin));
  }
  return out;
}

std::string chars(std::string_view text, TokenMode mode, char padding) {
  PaddedBytes bytes;
  FoldedText folded;
  fold_chars(fuzz::padded(text, padding, bytes), mode, folded);
  require(folded.tokens.empty());
  fuzz::touch_padding(folded.bytes.view());
  return std::string(folded.bytes.view());
}

void check_ascii(std::string_view text) {
  require(words(text, TokenMode::ascii, '\0') == reference::ascii_words(text));
  require(words(text, TokenMode::ascii, 'x') == reference::ascii_words(text));
  const std::string folded = chars(text, TokenMode::ascii, '\0');
  require(folded == reference::ascii_chars(text));
  require(folded == chars(text, TokenMode::ascii, 'x'));
  if (text != reference::replace_ill_formed(text)) return;
  require(folded == chars(folded, TokenMode::ascii, ' '));
}

#ifdef SOSIE_HAVE_UTF8PROC
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &result,
                                 static_cast<utf8proc_option_t>(options));
  require(size >= 0);
  std::string out(result, result + size);
  std::free(result);
  return out;
}

// Property White_Space, and NUL.
bool is_blank(char32_t c) {
  constexpr std::u32string_view kOthers = U"\x20\x85\xA0\x1680\x2028\x2029\x202F\x205F\x3000";
  return c == 0 || (c >= 9 && c <= 13) || (c >= 0x2000 && c <= 0x200A) ||
         kOthers.find(c) != std::u32string_view::npos;
}

bool is_word_character(char32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO) ||
         category == UTF8PROC_CATEGORY_PC;
}

// utf8proc knows no scripts, so our own table decides which characters form words alone.
void check_unicode(std::string_view text) {
  constexpr int kCompose = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  if (text.find("\xF0\x92") != std::string_view::npos) return;  // may be cuneiform itself
  const std::string folded =
      mapped(mapped(reference::escape_ill_formed(text, reference::kCuneiform), kCompose),
             kCompose | UTF8PROC_CASEFOLD);
  std::string squeezed;
  Words cut;
  bool in_word = false;
  const auto* at = reinterpret_cast<const unsigned char*>(folded.data());
  for (const auto* end = at + folded.size(); at != end;) {
    const DecodedCodePoint decoded = decode_code_point(at, end);
    const std::string own(at, at + decoded.size);
    at += decoded.size;
    const char32_t c = decoded.code_point;
    if (!is_blank(c)) squeezed += own;
    if (is_blank(c) && !squeezed.empty() && squeezed.back() != ' ') squeezed += ' ';
    const bool single = unicode::properties_of(c).char_class() == unicode::CharClass::single;
    if (is_word_character(c)) {
      if (single || !in_word) cut.emplace_back();
      cut.back() += own;
    }
    in_word = is_word_character(c) && !single;
  }
  if (!squeezed.empty() && squeezed.back() == ' ') squeezed.pop_back();
  for (std::string& word : cut) word = reference::with_byte_escapes(word);
  require(chars(text, TokenMode::unicode, '\0') == reference::with_byte_escapes(squeezed));
  require(words(text, TokenMode::unicode, '\0') == cut);
}
#else
void check_unicode(std::string_view /*text*/) {}
#endif

// Checks that neither the bytes after the text nor folding well-formed text again changes anything.
void check_stable(std::string_view text) {
  const bool well_formed = text == reference::replace_ill_formed(text);
  const std::string folded = chars(text, TokenMode::unicode, '\0');
  require(folded == chars(text, TokenMode::unicode, '\xCC'));
  const Words cut = words(text, TokenMode::unicode, '\0');
  require(cut == words(text, TokenMode::unicode, '\xCC'));
  if (!well_formed) return;
  require(folded == reference::replace_ill_formed(folded));
  require(folded == chars(folded, TokenMode::unicode, '\x81'));
  std::string joined;
  for (const std::string& word : cut) joined += word + ' ';
  require(cut == words(joined, TokenMode::unicode, '\x81'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::size_t repetitions = input.byte();
  std::string text(input.rest());
  for (std::size_t i = 0; i < repetitions && text.size() < kMostBytes; ++i) text += input.rest();
  check_ascii(text);
  check_unicode(text);
  check_stable(text);
  return 0;
}
