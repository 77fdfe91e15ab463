// Edit distances within a bound, with words of rows that slide along the diagonal.
#include "verify/distance_in_band.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace sosie {
namespace {

__extension__ using DoubleWord = unsigned __int128;

constexpr std::int64_t kWordBits = PatternMasks::kBlockRows;

// A column of a band; the next column is one row further down. Cells outside the word are assumed
// to cost as much as a path within it that gets there, never too little; rows above the first have
// no symbol and hold the number of columns, as the first row does.
//
// A step receives the rows that contain a column's symbol, and returns the rows whose values equal
// the values of the rows above in the previous column. In other rows, the value is kEditsAStep
// higher.

// Differences from the row above, for levenshtein and, with swaps, osa.
template <class Word, bool kSwaps>
class DistanceBand {
 public:
  static constexpr std::int64_t kEditsAStep = 1;

  // `above`: number of rows that are not below the first.
  explicit DistanceBand(std::int64_t above) noexcept : plus_(~Word{0} << above) {}

  // Distance in a row, given its position relative to the first row, before the first column.
  static std::int64_t first_distance(std::int64_t row) noexcept {
    return std::max<std::int64_t>(row, 0);
  }

  Word step(Word equal) noexcept {
    const Word descends = equal | minus_;
    Word zero = (((descends & plus_) + plus_) ^ plus_) | descends;
    if constexpr (kSwaps) {
      zero |= ~old_zero_ & equal << 1 & old_equal_ >> 1;
      old_equal_ = equal;
      old_zero_ = zero;
    }
    const Word right_plus = minus_ | ~(zero | plus_);
    const Word right_minus = zero & plus_;
    plus_ = right_minus | ~(zero >> 1 | right_plus);
    minus_ = zero >> 1 & right_plus;
    return zero;
  }

 private:
  Word plus_;
  Word minus_ = 0;
  Word old_equal_ = 0;
  Word old_zero_ = 0;
};

// Rows whose longest common subsequence is as long as in the row above.
template <class Word>
class SubsequenceBand {
 public:
  static constexpr std::int64_t kEditsAStep = 2;

  explicit SubsequenceBand(std::int64_t /*above*/) noexcept {}

  // Each column that moves a row from above the first row to the first costs two, so the sum is
  // correct there.
  static std::int64_t first_distance(std::int64_t row) noexcept { return row; }

  Word step(Word equal) noexcept {
    constexpr Word kLastRow = Word{1} << (sizeof(Word) * 8 - 1);
    const Word matched = level_ & equal;
    const Word sum = level_ + matched;
    const Word zero = equal | ~level_ | (sum ^ level_ ^ matched);
    level_ = (sum | (level_ ^ matched)) >> 1 | kLastRow;
    return zero;
  }

 private:
  Word level_ = ~Word{0};
};

struct BandedText {
  SymbolSpan text;
  std::int64_t longer_by;  // length of the pattern minus length of the text
  std::int64_t most;
};

// Positions of a band's blocks among the words of a symbol.
template <class Word>
using BlockPlaces = std::array<std::size_t, sizeof(Word) / sizeof(std::uint64_t) + 1>;

// Rows of these words, starting at bit `first`.
template <class Word>
Word rows_at(const std::uint64_t* words, const BlockPlaces<Word>& places, unsigned first) noexcept {
  const auto word = [&](std::size_t w) {
    return words[places[w]] >> first | words[places[w + 1]] << 1 << (kWordBits - 1 - first);
  };
  if constexpr (sizeof(Word) == sizeof(std::uint64_t)) {
    return word(0);
  } else {
    return DoubleWord{word(1)} << kWordBits | word(0);
  }
}

template <class Band, class Word, class Symbol>
std::uint32_t run_band(PatternMasks& pattern, const BandedText& task) {
  constexpr std::int64_t kWords = std::is_same_v<Word, std::uint64_t> ? 1 : 2;
  const SymbolSpan text = task.text;
  // A path from the first diagonal to the last cannot spend more edits than this on detours.
  const std::int64_t spare = (task.most - std::abs(task.longer_by)) / 2;
  const std::int64_t lowest = std::max<std::int64_t>(task.longer_by, 0) + spare;
  // Row of the first bit, in the pattern: the last bit is one below the lowest diagonal.
  std::int64_t row = lowest + 2 - kWords * kWordBits;
  const bool is_last = task.longer_by - row >= (kWords - 1) * kWordBits;  // word of the last row
  const auto end_bit = static_cast<unsigned>((task.longer_by - row) % kWordBits);
  Band band(-row);
  std::int64_t distance = Band::first_distance(task.longer_by);
  for (std::uint32_t j = 0; j < text.length;) {
    const std::int64_t block = row >> 6;
    const PatternMasks::View masks = pattern.hold(block, block + kWords + 1);
    BlockPlaces<Word> places;
    for (std::size_t w = 0; w < places.size(); ++w) {
      places[w] = masks.place(block + static_cast<std::int64_t>(w));
    }
    auto first = static_cast<unsigned>(row - block * kWordBits);
    const auto count = std::min<std::uint32_t>(text.length - j, kWordBits - first);
    row += count;
    for (const std::uint32_t end = j + count; j < end; ++j, ++first) {
      const std::uint64_t* words = masks.find(symbol_at<Symbol>(text.data, j));
      const Word zero = band.step(rows_at<Word>(words, places, first));
      const auto end_word =
          static_cast<std::uint64_t>(is_last ? zero >> (kWords - 1) * kWordBits : zero);
      distance += static_cast<std::int64_t>(~end_word >> end_bit & 1) * Band::kEditsAStep;
      if (distance > task.most) return static_cast<std::uint32_t>(task.most) + 1;  // none descends
    }
  }
  return static_cast<std::uint32_t>(distance);
}

template <class Word, class Symbol>
std::uint32_t run_measure(EditMeasure measure, PatternMasks& pattern, const BandedText& task) {
  switch (measure) {
    case EditMeasure::levenshtein:
      return run_band<DistanceBand<Word, false>, Word, Symbol>(pattern, task);
    case EditMeasure::indel:
      return run_band<SubsequenceBand<Word>, Word, Symbol>(pattern, task);
    default:
      return run_band<DistanceBand<Word, true>, Word, Symbol>(pattern, task);
  }
}

}  // namespace

std::uint32_t distance_in_band(EditMeasure measure, PatternMasks& pattern, std::uint32_t rows,
                               const SymbolSpan& text, std::uint32_t most) {
  const std::int64_t longer_by = std::int64_t{rows} - text.length;
  if (std::abs(longer_by) > most) return most + 1;
  const BandedText task{text, longer_by, most};
  return with_symbols(text.width, [&]<class Symbol>() {
    return most <= most_edits_of_band(1)
               ? run_measure<std::uint64_t, Symbol>(measure, pattern, task)
               : run_measure<DoubleWord, Symbol>(measure, pattern, task);
  });
}

}  // namespace sosie
