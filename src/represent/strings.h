#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "represent/folded_text.h"

namespace sosie {

// Part of a string that is compared (`--clean`).
//   as_is    its code points in NFC.
//   folded   as_is with full case folding, each run of white space (and NUL) as one space, and none
//            at either end: the text that character shingles are cut from.
//   letters  only the letters, marks and numbers of folded, in NFC.
//   words    letters, marks and numbers of folded, with one space for each run of others between
//            them.
// Each byte of ill-formed UTF-8 is treated as a character of its own.
enum class StringForm : std::uint8_t { as_is, folded, letters, words };

// True if a string has nothing to compare: no code point, or only white space (and NUL).
[[nodiscard]] bool is_blank(std::span<const char32_t> code_points) noexcept;

// Turns strings into code points. Not thread-safe.
class StringReader {
 public:
  explicit StringReader(StringForm form) : form_(form) {}

  // `text` must be followed by kPadding readable bytes. Throws Error{limit_exceeded} above 2^31
  // bytes.
  void read(std::string_view text);

  // Code points of the last string, valid until the next one. Ill-formed bytes are escaped
  // (core/utf8.h).
  [[nodiscard]] std::span<const char32_t> code_points() const noexcept { return points_; }
  [[nodiscard]] bool is_well_formed() const noexcept { return is_well_formed_; }

 private:
  void decode(std::string_view text);
  void keep_letters();
  void keep_words();
  void compose();

  StringForm form_;
  FoldedText folded_;
  std::vector<char32_t> points_;
  std::vector<char32_t> composed_;
  std::vector<char32_t> segment_;
  bool is_well_formed_ = true;
};

// Code points as UTF-8 for display: an ill-formed byte becomes itself again.
[[nodiscard]] std::string text_of(std::span<const char32_t> code_points);

}  // namespace sosie
