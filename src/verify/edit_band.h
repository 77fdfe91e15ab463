#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "data/columns.h"

namespace sosie {

// Calls a task with the type of symbols of this width.
template <class Task>
auto with_symbols(std::uint8_t width, const Task& task) {
  if (width == 1) return task.template operator()<std::uint8_t>();
  if (width == 2) return task.template operator()<std::uint16_t>();
  return task.template operator()<std::uint32_t>();
}

template <class Symbol>
std::uint32_t symbol_at(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

// Levenshtein distances of long strings within a small bound, by the diagonals that a path of so
// few edits may go through: one word of rows a column, which slides along the pattern. Strings that
// are far apart are told by the columns in which the bound is reached. Memory: a word and a
// position for each symbol of the alphabet; nothing grows with the strings.
// Source: Hyyrö 2003, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit
// Distances".
template <class Word>
class EditBand {
 public:
  // So many diagonals above and below the main one, and that one.
  static constexpr std::uint32_t kMost = sizeof(Word) * 8 / 2 - 1;

  // Symbols of patterns are below `alphabet`; other strings may have further symbols.
  explicit EditBand(std::uint32_t alphabet) : alphabet_(alphabet) {}

  // The distance when it is at most `most` (kMost at most), else most + 1. Neither string is empty.
  [[nodiscard]] std::uint32_t distance(const SymbolSpan& pattern, const SymbolSpan& text,
                                       std::uint32_t most);

 private:
  // Rows of the word that hold a symbol, as they stood when the word was `at`.
  struct Rows {
    Word rows = 0;
    std::uint64_t at = 0;
  };

  template <class PatternSymbol, class TextSymbol>
  std::uint32_t run(const SymbolSpan& pattern, const SymbolSpan& text, std::uint32_t most);

  std::uint32_t alphabet_;
  std::vector<Rows> rows_;  // by symbol; empty until it is needed
  std::uint64_t at_ = 0;    // steps of the word, since this was made
};

__extension__ using DoubleWord = unsigned __int128;

extern template class EditBand<std::uint64_t>;
extern template class EditBand<DoubleWord>;

}  // namespace sosie
