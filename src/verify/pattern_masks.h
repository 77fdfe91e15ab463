#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "data/columns.h"

namespace sosie {

// Calls `task` with the integer type for symbols of this width.
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

// The positions of each symbol in a pattern, one bit per row. A block consists of 64 rows and needs
// one word for each symbol. It is marked when it is first held and remains marked for later
// comparisons, unless the pattern is so long that several blocks take turns using the same words.
// Memory: a word for each block and symbol of the alphabet, but at most 4 MiB or 16 words per
// symbol.
class PatternMasks {
 public:
  static constexpr std::uint32_t kBlockRows = 64;
  // Number of blocks that may be held at a time, including empty ones before and after the pattern.
  static constexpr std::uint32_t kMostHeld = 4;

  // Words by symbol, valid until the next call of set() or hold().
  class View {
   public:
    View(const std::uint64_t* words, std::uint32_t alphabet, unsigned shift)
        : words_(words), alphabet_(alphabet), shift_(shift) {}
    // The words of a symbol, or of an absent symbol.
    [[nodiscard]] const std::uint64_t* find(std::uint32_t symbol) const noexcept {
      return words_ + (std::size_t{std::min(symbol, alphabet_)} << shift_);
    }
    // Position of a block among the words of a symbol; blocks 4 * i to 4 * i + 3 are adjacent.
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

  // Replaces the pattern, which must outlive any held blocks.
  void set(const SymbolSpan& pattern);

  // Marks the pattern's blocks in [first, past). For a pattern of one block, only that block may be
  // held, and the words of all symbols are contiguous.
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
  std::vector<std::uint64_t> words_;   // by symbol, and for absent symbols
  std::vector<std::uint32_t> marked_;  // symbols of the rows of marked blocks
};

}  // namespace sosie
