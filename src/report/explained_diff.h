#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/word_cutter.h"

namespace sosie {

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
