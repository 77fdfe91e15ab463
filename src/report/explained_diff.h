#pragma once

#include <cstdint>
#include <span>
#include <string>
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

// Marks that set off parts of a text: ANSI sequences, or marks that survive a file.
struct TextStyle {
  std::string_view strong = {};
  std::string_view faint = {};
  std::string_view off = {};  // ends strong and faint
  std::string_view removed = {};
  std::string_view removed_end = {};
  std::string_view added = {};
  std::string_view added_end = {};
  std::string_view between = {};  // text between a removed part and the part in its place
  bool colour = false;
};
[[nodiscard]] const TextStyle& text_style(bool colour) noexcept;

// Words that two texts have in common, and the words of each.
struct DiffCounts {
  std::uint64_t same = 0;
  std::uint64_t removed = 0;
  std::uint64_t added = 0;
};

// Two texts word by word, for a terminal: what differs, with some words around it, in lines of
// about 96 characters indented by two. The middles of what is the same, and of very long changes,
// are left out with a word about it, and so is what follows after 60 changes. Text is escaped.
class ExplainedDiff {
 public:
  ExplainedDiff(std::span<const SpelledWord> left, std::span<const SpelledWord> right);

  [[nodiscard]] const DiffCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::string text(const TextStyle& style) const;

 private:
  // Equal words on both sides, or words of the left replaced by words of the right.
  struct Hunk {
    bool same = false;
    std::size_t left = 0;
    std::size_t left_end = 0;
    std::size_t right = 0;
    std::size_t right_end = 0;
  };

  void collect();
  void join_scattered();

  std::span<const SpelledWord> left_;
  std::span<const SpelledWord> right_;
  std::vector<Hunk> hunks_;  // changes and what is the same, in turn
  DiffCounts counts_;
};

}  // namespace sosie
