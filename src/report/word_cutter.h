#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "represent/folded_text.h"
#include "represent/text_shingler.h"

namespace sosie {

// A word as the shingles see it, and how the text spells it.
struct SpelledWord {
  std::uint64_t key = 0;   // equal for words that are equal to the engine
  std::string_view gap;    // text between the word before and this one
  std::string_view spelt;  // bytes of the text
};

// Cuts texts into words for people to compare: as word shingles do, or, for character shingles, at
// white space. Belongs to one thread.
class WordCutter {
 public:
  explicit WordCutter(ShingleRecipe recipe) : recipe_(std::move(recipe)) {}

  // The first `most` words of text; views into it.
  [[nodiscard]] std::vector<SpelledWord> cut(std::string_view text, std::size_t most);

 private:
  enum class Part : std::uint8_t { between, inside, alone };

  struct PartAt {
    Part part;
    std::size_t size;  // bytes of the character
  };
  [[nodiscard]] PartAt part_at(std::string_view text, std::size_t at) const noexcept;
  [[nodiscard]] std::uint64_t key_of(std::string_view spelt);

  ShingleRecipe recipe_;
  PaddedBytes padded_;
  FoldedText folded_;
};

}  // namespace sosie
