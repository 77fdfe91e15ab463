// Cuts a text into the words that its shingles are made of.
#include "report/word_cutter.h"

#include "core/mix64.h"
#include "core/utf8.h"
#include "kernels/hash_bytes.h"
#include "represent/unicode_tables.h"

namespace sosie {
namespace {

bool is_ascii_word(unsigned char byte) noexcept {
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

}  // namespace

WordCutter::PartAt WordCutter::part_at(std::string_view text, std::size_t at) const noexcept {
  using unicode::CharClass;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const bool at_blanks = !recipe_.cuts_words();
  if (recipe_.tokens == TokenMode::ascii && !at_blanks) {
    return {is_ascii_word(bytes[at]) ? Part::inside : Part::between, 1};
  }
  const DecodedCodePoint decoded = decode_code_point(bytes + at, bytes + text.size());
  const CharClass char_class = unicode::properties_of(decoded.code_point).char_class();
  if (char_class == CharClass::single) return {Part::alone, decoded.size};
  const bool inside = at_blanks ? char_class != CharClass::blank : char_class == CharClass::word;
  return {inside ? Part::inside : Part::between, decoded.size};
}

std::uint64_t WordCutter::key_of(std::string_view spelt) {
  padded_.assign(spelt);
  if (!recipe_.cuts_words()) {
    fold_chars(padded_.view(), recipe_.tokens, folded_);
    return hash_bytes(folded_.bytes.data(), folded_.bytes.size());
  }
  fold_words(padded_.view(), recipe_.tokens, folded_);
  std::uint64_t key = 0;
  for (const TokenSpan token : folded_.tokens) {
    key = mix64(key ^ hash_bytes(folded_.bytes.data() + token.begin, token.end - token.begin));
  }
  return key;
}

std::vector<SpelledWord> WordCutter::cut(std::string_view text, std::size_t most) {
  std::vector<SpelledWord> words;
  std::size_t end_of_last = 0;
  for (std::size_t at = 0; at < text.size() && words.size() < most;) {
    PartAt part = part_at(text, at);
    const std::size_t begin = at;
    at += part.size;
    if (part.part == Part::between) continue;
    while (part.part == Part::inside && at < text.size()) {
      const PartAt next = part_at(text, at);
      if (next.part != Part::inside) break;
      at += next.size;
    }
    const std::string_view spelt = text.substr(begin, at - begin);
    words.push_back({key_of(spelt), text.substr(end_of_last, begin - end_of_last), spelt});
    end_of_last = at;
  }
  return words;
}

}  // namespace sosie
