#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "data/padded_bytes.h"
#include "report/report_page.h"
#include "represent/text_shingler.h"

namespace sosie {

// Shows two texts side by side: runs of words both have, and runs only one has. Words are what
// stands between white space (each character of a script written without blanks is one), equal when
// the shingles see the same tokens. The middles of long common runs are left out, and so is what
// lies beyond the first 64 KiB of a text or beyond 3000 shown bytes of a side.
class TextDiff {
 public:
  explicit TextDiff(TokenMode tokens) : shingler_({ShingleUnit::words, 1, tokens}) {}

  // Sets words and parts of both sides.
  void compare(std::string_view left, std::string_view right, ReportSide& left_side,
               ReportSide& right_side);

 private:
  struct Words {
    std::string_view text;              // text, as far as it is compared
    std::vector<std::size_t> starts;    // begins of words, and the end of the text
    std::vector<std::uint64_t> tokens;  // a number for the tokens of each word
  };

  void split(std::string_view text, Words& words);
  // A number for the tokens of a word; 0 when it has none (punctuation).
  std::uint64_t token_number(std::string_view word);

  TextShingler shingler_;
  PaddedBytes word_;
};

}  // namespace sosie
