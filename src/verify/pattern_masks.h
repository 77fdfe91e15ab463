#pragma once

#include <algorithm>
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

// Rows of a pattern in which each symbol stands, one bit each. A block is 64 rows and takes a word
// for each symbol; it is marked once it is held, and stays for the next comparison unless the
// pattern is very long: then words serve several blocks in turn. Memory: a word for each block and
// symbol of the alphabet, though no more than 4 MiB or 16 words for each symbol.
class PatternMasks {
 public:
  static constexpr std::uint32_t kBlockRows = 64;
  // Blocks that may be held at a time, in front of the pattern and behind it, too: they are empty.
  static constexpr std::uint32_t kMostHeld = 4;

  // Words by symbol, for as long as nothing else is set or held.
  class View {
   public:
    View(const std::uint64_t* words, std::uint32_t alphabet, unsigned shift)
        : words_(words), alphabet_(alphabet), shift_(shift) {}
    // The words of a symbol, or of one that stands nowhere.
    [[nodiscard]] const std::uint64_t* find(std::uint32_t symbol) const noexcept {
      return words_ + (std::size_t{std::min(symbol, alphabet_)} << shift_);
    }
    // Position of a block among the words of a symbol; blocks 4 * i to 4 * i + 3 follow each other.
    [[nodiscard]] std::size_t place(std::int64_t block) const noexcept {
      return static_cast<std::size_t>(block) & ((std::size_t{1} << shift_) - 1);
    }

   private:
    const std::uint64_t* words_;
    std::uint32_t alphabet_;
    unsigned shift_;
  };

  // Symbols of patterns are below `alphabet`.
  explicit PatternMasks(std::uint32_t alphabet) : alphabet_(alphabet) {}

  // Takes a pattern in place of the last one. It outlives what is held.
  void set(const SymbolSpan& pattern);

  // Marks the pattern's blocks from `first` to the one before `past`. Of patterns of one block,
  // that one alone may be held, and the words of all symbols stand behind each other.
  View hold(std::int64_t first, std::int64_t past);

 private:
  void mark(std::int64_t block);
  void clear(std::int64_t block) noexcept;
  void clear_all() noexcept;
  [[nodiscard]] std::int64_t rows_of(std::int64_t block) const noexcept;

  std::uint32_t alphabet_;
  SymbolSpan pattern_;
  std::int64_t blocks_ = 0;  // blocks of the pattern
  unsigned shift_ = 0;       // a symbol has 1 << shift_ words
  std::int64_t first_ = 0;   // marked blocks
  std::int64_t past_ = 0;
  std::vector<std::uint64_t> words_;   // by symbol, and of none
  std::vector<std::uint32_t> marked_;  // symbols of the rows of marked blocks
};

}  // namespace sosie
