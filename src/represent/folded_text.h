#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/padded_bytes.h"

namespace sosie {

// Rule that divides text into tokens (`--tokens`).
//   unicode  NFC, full case folding, NFC again (Unicode 15.0 tables, part of the recipe). A word is
//            a maximal run of letters, marks, numbers and connector punctuation (general categories
//            L*, M*, N*, Pc); each letter, mark or number of a script written without spaces (see
//            tools/make_unicode_tables.py) is a word of its own. Each byte of ill-formed UTF-8
//            counts as a letter of its own, so that texts with different bytes stay different.
//   raw      words as in unicode, in the original text: nothing is folded or composed.
//   ascii    the simple definition of the shared truth files: bytes A-Z are lower-cased; a word is
//            a maximal run of bytes that are [0-9a-z_] or >= 0x80.
enum class TokenMode : std::uint8_t { unicode, ascii, raw };

// A token's bytes are [begin, end) of the folded text.
struct TokenSpan {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// The tokens of a text, in order. Grows but never shrinks. The writer requests space, writes the
// begin and the end of each token in turn, and then sets the number of tokens.
class TokenSpans {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] const TokenSpan* begin() const noexcept { return spans_.data(); }
  [[nodiscard]] const TokenSpan* end() const noexcept { return spans_.data() + count_; }
  [[nodiscard]] const TokenSpan& front() const noexcept { return spans_.front(); }

  // The array of positions, first token first, with space for `count` positions. Positions that
  // have already been written are preserved.
  [[nodiscard]] std::uint32_t* places(std::size_t count) {
    static_assert(sizeof(TokenSpan) == 2 * sizeof(std::uint32_t));
    if (2 * spans_.size() < count) spans_.resize((count + 1) / 2);
    return &spans_.front().begin;
  }
  void set_size(std::size_t count) noexcept { count_ = count; }

 private:
  std::vector<TokenSpan> spans_;
  std::size_t count_ = 0;
};

// The normalised form of a text. Owned by a worker and refilled for each text.
struct FoldedText {
  PaddedBytes bytes;
  TokenSpans tokens;           // filled in by fold_words() only
  bool is_well_formed = true;  // the text was UTF-8
};

// Divides `text` into words. On return `out.tokens` are the words in order; the bytes of a token
// are its normalised UTF-8. Bytes between tokens in out.bytes have no meaning. `text` must be
// followed by kPadding readable bytes and must not be in out.bytes. Throws Error{limit_exceeded}
// above 2^31 bytes of text, and above 2^32 - 1 bytes once folded (text grows at most threefold).
void fold_words(std::string_view text, TokenMode mode, FoldedText& out);

// Writes the text to out.bytes in the form that character shingles are cut from: normalised as
// above (ascii: A-Z are lower-cased and other bytes unchanged), each run of white space replaced
// with one space, and none at either end. White space has the property White_Space (ascii: [
// \t\n\v\f\r]); NUL counts as white space in all modes. out.tokens remains empty. In all modes,
// each ill-formed byte becomes the three bytes of a lone surrogate (core/utf8.h), so that code
// points can be counted. Limits are those for fold_words().
void fold_chars(std::string_view text, TokenMode mode, FoldedText& out);

}  // namespace sosie
