#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/explained_diff.h"
#include "represent/text_shingler.h"

namespace sosie {

// Where a passage stands in a text: characters of it, counted from 0, the end not included.
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Passages that the left text has from the right one, in the order of the left text.
struct CopiedPassages {
  struct Passage {
    TextRange left;
    TextRange right;
    std::uint64_t words = 0;
    std::string_view text;  // spelt by the left text
  };
  std::vector<Passage> passages;
  std::string least;             // "5 words": the shortest that counts
  std::uint64_t left_words = 0;  // that stand in a passage
  std::uint64_t right_words = 0;
};

// The passages of two texts that were cut into words by WordCutter, at least as long as a shingle
// of `recipe`, and with one that is not left out as common. Views into the left text.
[[nodiscard]] CopiedPassages copied_passages(const std::vector<SpelledWord>& left,
                                             const std::vector<SpelledWord>& right,
                                             const ShingleRecipe& recipe);

// A part of the page of explain: what was copied, and 100 passages at most. `left_words`,
// `right_words`: of the whole texts.
[[nodiscard]] std::string passages_text(const CopiedPassages& copied, std::uint64_t left_words,
                                        std::uint64_t right_words, const TextStyle& style);

}  // namespace sosie
