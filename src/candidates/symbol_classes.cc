// Signatures of strings: counts of their symbols by classes.
#include "candidates/symbol_classes.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sosie {
namespace {

constexpr std::uint32_t kClasses = 32;

template <class Symbol>
std::uint32_t symbol(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

template <class Symbol>
void count_symbols(const StringColumn& column, std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < column.starts.back(); ++i) {
    ++counts[symbol<Symbol>(column.symbols.data(), i)];
  }
}

template <class Symbol>
std::uint64_t signature(const std::vector<std::uint32_t>& bits, const SymbolSpan& string) noexcept {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  for (std::uint32_t i = 0; i < string.length; ++i) {
    const std::uint32_t value = symbol<Symbol>(string.data, i);
    const std::uint32_t bit = bits[value < bits.size() ? value : 0];
    high ^= low & bit;
    low ^= bit;
  }
  return std::uint64_t{low ^ high} << 32 | high;
}

}  // namespace

SymbolClasses::SymbolClasses(const StringColumn& column) {
  const std::uint32_t alphabet = std::max(column.alphabet, 1U);
  std::vector<std::uint64_t> counts(alphabet, 0);
  if (column.width == 1) count_symbols<std::uint8_t>(column, counts);
  if (column.width == 2) count_symbols<std::uint16_t>(column, counts);
  if (column.width == 4) count_symbols<std::uint32_t>(column, counts);
  std::vector<std::uint32_t> ranked(alphabet);
  std::iota(ranked.begin(), ranked.end(), 0U);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  bits_.resize(alphabet);
  for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
    bits_[ranked[rank]] = std::uint32_t{1} << rank % kClasses;
  }
}

std::uint64_t SymbolClasses::signature_of(const SymbolSpan& string) const noexcept {
  if (string.width == 1) return signature<std::uint8_t>(bits_, string);
  if (string.width == 2) return signature<std::uint16_t>(bits_, string);
  return signature<std::uint32_t>(bits_, string);
}

}  // namespace sosie
