#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/padded_bytes.h"
#include "report/report_page.h"
#include "represent/text_shingler.h"

namespace sosie {

// Shows two texts side by side, as runs of words that are in both and runs that are in only one.
// White space separates words (in scripts written without spaces, each character is a word); words
// are equal if their tokens are equal as in shingles. The middles of long common runs are left out,
// and so is everything after the first 64 KiB of a text or after 3000 bytes shown on a side.
class TextDiff {
 public:
  explicit TextDiff(TokenMode tokens) : shingler_({ShingleUnit::words, 1, tokens}) {}

  // Fills in the words and parts of both sides.
  void compare(std::string_view left, std::string_view right, ReportSide& left_side,
               ReportSide& right_side);

 private:
  struct Words {
    std::string_view text;              // text, up to the end of comparison
    std::vector<std::size_t> starts;    // start of each word, and end of the text
    std::vector<std::uint64_t> tokens;  // a number for the tokens of each word
  };

  void split(std::string_view text, Words& words);
  // A number for the tokens of a word; 0 if the word has none (punctuation).
  std::uint64_t token_number(std::string_view word);

  TextShingler shingler_;
  PaddedBytes word_;
};

}  // namespace sosie
