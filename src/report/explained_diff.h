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

// A word in the form that shingles use, and its spelling in the text.
struct SpelledWord {
  std::uint64_t key = 0;   // equal for words that the engine treats as equal
  std::string_view gap;    // text between the previous word and this one
  std::string_view spelt;  // bytes of the text
};

// Divides texts into words for people to compare: in the same way as word shingles or, for
// character shingles, at white space. Not thread-safe.
class WordCutter {
 public:
  explicit WordCutter(ShingleRecipe recipe) : recipe_(std::move(recipe)) {}

  // The first `most` words of the text, as views of it.
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

// Marks for spans of text: ANSI sequences, or marks that are readable in a file.
struct TextStyle {
  std::string_view strong = {};
  std::string_view faint = {};
  std::string_view off = {};  // ends strong and faint
  std::string_view removed = {};
  std::string_view removed_end = {};
  std::string_view added = {};
  std::string_view added_end = {};
  std::string_view between = {};  // text between a removed part and its replacement
  bool colour = false;
};
[[nodiscard]] const TextStyle& text_style(bool colour) noexcept;

// The number of words that two texts have in common, and the number of words in each.
struct DiffCounts {
  std::uint64_t same = 0;
  std::uint64_t removed = 0;
  std::uint64_t added = 0;
};

// A word-by-word diff of two texts for a terminal. It shows the differences, with some context, in
// lines of about 96 characters indented by two. A short note replaces the middles of equal parts
// and of very long changes, and everything after 60 changes. Text is escaped.
class ExplainedDiff {
 public:
  ExplainedDiff(std::span<const SpelledWord> left, std::span<const SpelledWord> right);

  [[nodiscard]] const DiffCounts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::string text(const TextStyle& style) const;

 private:
  // Equal words on both sides, or left words replaced by right words.
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
  std::vector<Hunk> hunks_;  // changes and equal parts alternately
  DiffCounts counts_;
};

}  // namespace sosie
