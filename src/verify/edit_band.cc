// Levenshtein distances within a small bound, by a word of rows that slides along the diagonal.
#include "verify/edit_band.h"

#include <algorithm>

namespace sosie {

// Bit t of column j is row j - most + t. Rows above the first have no symbol and differ by nothing,
// so that all of them hold j, as row 0 does; what lies outside of the word is taken for 1 more than
// its neighbour within, which no path of `most` edits goes through.
template <class Word>
template <class PatternSymbol, class TextSymbol>
std::uint32_t EditBand<Word>::run(const SymbolSpan& pattern, const SymbolSpan& text,
                                  std::uint32_t most) {
  constexpr std::uint32_t kBits = sizeof(Word) * 8;
  constexpr Word kLastRow = Word{1} << (kBits - 1);
  const std::uint32_t m = pattern.length;
  at_ += kBits;  // nothing of the last strings is left in the word
  std::uint32_t entered = 0;
  const auto enter = [&](std::uint64_t at) {
    Rows& rows = rows_[symbol_at<PatternSymbol>(pattern.data, entered++)];
    const std::uint64_t moved = at - rows.at;
    rows.rows = (moved < kBits ? rows.rows >> moved : Word{0}) | kLastRow;
    rows.at = at;
  };
  // Before the first column the last row is that of the word's last bit.
  const std::uint64_t begin = at_ + (kBits - 1 - most);
  while (entered < std::min(m, kBits - 1 - most)) enter(at_ + entered + 1);
  at_ = begin;

  Word plus = ~Word{0} << (most + 1);
  Word minus = 0;
  const std::uint32_t end_bit = most + m - text.length;  // the last row, in the last column
  std::uint32_t distance = m > text.length ? m - text.length : 0;
  for (std::uint32_t j = 0; j < text.length; ++j) {
    ++at_;
    if (entered < m) enter(at_);
    const std::uint32_t symbol = symbol_at<TextSymbol>(text.data, j);
    Word equal = 0;
    if (symbol < rows_.size()) {
      const std::uint64_t moved = at_ - rows_[symbol].at;
      if (moved < kBits) equal = rows_[symbol].rows >> moved;
    }
    plus = plus >> 1 | kLastRow;
    minus >>= 1;
    equal |= minus;
    const Word zero = (((equal & plus) + plus) ^ plus) | equal;
    const Word right_plus = (minus | ~(zero | plus)) << 1 | 1;
    const Word right_minus = (zero & plus) << 1;
    plus = right_minus | ~(zero | right_plus);
    minus = right_plus & zero;
    distance += static_cast<std::uint32_t>(~(zero >> end_bit) & 1);
    if (distance > most) return most + 1;  // no diagonal descends
  }
  return distance;
}

template <class Word>
std::uint32_t EditBand<Word>::distance(const SymbolSpan& pattern, const SymbolSpan& text,
                                       std::uint32_t most) {
  const std::uint32_t longer_by =
      std::max(pattern.length, text.length) - std::min(pattern.length, text.length);
  if (longer_by > most) return most + 1;
  rows_.resize(alphabet_);
  return with_symbols(pattern.width, [&]<class PatternSymbol>() {
    return with_symbols(text.width, [&]<class TextSymbol>() {
      return run<PatternSymbol, TextSymbol>(pattern, text, most);
    });
  });
}

template class EditBand<std::uint64_t>;
template class EditBand<DoubleWord>;

}  // namespace sosie
