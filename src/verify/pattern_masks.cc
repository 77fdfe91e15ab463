// Marks the rows at which the symbols of a pattern occur, block by block.
#include "verify/pattern_masks.h"

#include <algorithm>
#include <bit>

namespace sosie {
namespace {

// One-byte symbols: in a pattern of one block, words are indexed by the symbol itself.
constexpr std::size_t kByteSymbols = 256;
constexpr std::uint32_t kMostWords = std::uint32_t{1} << 19;  // words of all symbols
constexpr std::uint32_t kFewestPlaces = 16;                   // words per symbol of a long pattern

}  // namespace

std::int64_t PatternMasks::rows_of(std::int64_t block) const noexcept {
  const std::int64_t begin = block * kBlockRows;
  return std::min<std::int64_t>(begin + kBlockRows, pattern_.length) - begin;
}

void PatternMasks::set(const SymbolSpan& pattern) {
  clear_all();
  first_ = 0;
  past_ = 0;
  pattern_ = pattern;
  blocks_ = (std::int64_t{pattern.length} + kBlockRows - 1) / kBlockRows;
  std::uint32_t places = 1;
  if (blocks_ > 1) {
    const std::uint32_t most =
        std::max(kFewestPlaces, std::bit_floor(kMostWords / (alphabet_ + 1)));
    const auto blocks = static_cast<std::uint64_t>(blocks_) + 2 * std::uint64_t{kMostHeld};
    places = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::bit_ceil(blocks), most));
  }
  shift_ = static_cast<unsigned>(std::countr_zero(places));
  const std::size_t words = (std::size_t{alphabet_} + 1) << shift_;
  // All words are 0 here, regardless of earlier uses.
  if (words_.size() < words) words_.resize(std::max(words, kByteSymbols));
  if (marked_.size() < std::size_t{places} * kBlockRows) {
    marked_.resize(std::size_t{places} * kBlockRows);
  }
}

PatternMasks::View PatternMasks::hold(std::int64_t first, std::int64_t past) {
  const std::int64_t places = std::int64_t{1} << shift_;
  const std::int64_t own = std::max<std::int64_t>(first, 0);
  if (own < first_ || std::max(past_, past) - std::min(first_, first) > places) {
    if (own < first_ || first < 0) {
      clear_all();
      first_ = past_ = own;
    }
    for (; first_ < past_ && past - first_ > places; ++first_) clear(first_);
    if (first_ == past_) first_ = past_ = std::max(past_, own);
  }
  for (const std::int64_t end = std::min(past, blocks_); past_ < end; ++past_) mark(past_);
  return {words_.data(), alphabet_, shift_};
}

void PatternMasks::mark(std::int64_t block) {
  const std::int64_t place = block & ((std::int64_t{1} << shift_) - 1);
  std::uint64_t* words = words_.data() + place;
  std::uint32_t* marked = marked_.data() + place * kBlockRows;
  const std::int64_t rows = rows_of(block);
  with_symbols(pattern_.width, [&]<class Symbol>() {
    const std::byte* symbols =
        pattern_.data + static_cast<std::size_t>(block * kBlockRows) * sizeof(Symbol);
    std::uint64_t bit = 1;
    for (std::int64_t i = 0; i < rows; ++i, bit <<= 1) {
      const std::uint32_t value = symbol_at<Symbol>(symbols, static_cast<std::size_t>(i));
      words[std::size_t{value} << shift_] |= bit;
      marked[i] = value;
    }
  });
}

void PatternMasks::clear(std::int64_t block) noexcept {
  const std::int64_t place = block & ((std::int64_t{1} << shift_) - 1);
  const std::uint32_t* marked = marked_.data() + place * kBlockRows;
  for (std::int64_t i = 0; i < rows_of(block); ++i) {
    words_[(std::size_t{marked[i]} << shift_) + static_cast<std::size_t>(place)] = 0;
  }
}

void PatternMasks::clear_all() noexcept {
  const std::size_t words = (std::size_t{alphabet_} + 1) << shift_;
  if (static_cast<std::size_t>(past_ - first_) * kBlockRows > words / 2) {
    std::fill_n(words_.begin(), words, 0);
    return;
  }
  for (std::int64_t block = first_; block < past_; ++block) clear(block);
}

}  // namespace sosie
