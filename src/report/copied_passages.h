#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/explained_diff.h"
#include "represent/text_shingler.h"

namespace sosie {

// The position of a passage in a text: a range of characters, counted from 0, end exclusive.
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The passages that the left text shares with the right one, in the order of the left text.
struct CopiedPassages {
  struct Passage {
    TextRange left;
    TextRange right;
    std::uint64_t words = 0;
    std::string_view text;  // in the spelling of the left text
  };
  std::vector<Passage> passages;
  std::string least;             // "5 words": the minimum length
  std::uint64_t left_words = 0;  // words inside passages
  std::uint64_t right_words = 0;
};

// The passages that two texts, divided into words by WordCutter, have in common. Each passage is at
// least as long as a shingle of `recipe` and contains a shingle that is not ignored as common. The
// result refers to the left text.
[[nodiscard]] CopiedPassages copied_passages(const std::vector<SpelledWord>& left,
                                             const std::vector<SpelledWord>& right,
                                             const ShingleRecipe& recipe);

// The section of the explain page that shows the copied share and at most 100 passages.
// `left_words`, `right_words`: numbers of words in the whole texts.
[[nodiscard]] std::string passages_text(const CopiedPassages& copied, std::uint64_t left_words,
                                        std::uint64_t right_words, const TextStyle& style);

}  // namespace sosie
