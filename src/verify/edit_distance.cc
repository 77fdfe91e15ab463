// Distances of strings by edits, by dynamic programming.
#include "verify/edit_distance.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace sosie {
namespace {

std::uint32_t symbol(const SymbolSpan& span, std::size_t i) noexcept {
  std::uint32_t value = 0;
  std::memcpy(&value, span.data + i * span.width, span.width);
  return value;
}

// Largest d with 1 - d / whole >= threshold, in integers.
std::uint32_t edits_of(std::uint64_t whole, const Rational& threshold) noexcept {
  if (threshold.num >= threshold.den) return 0;
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(whole) *
                                    (threshold.den - threshold.num) / threshold.den);
}

}  // namespace

std::uint32_t EditBound::most_edits(std::uint32_t left, std::uint32_t right) const noexcept {
  if (!by_similarity) return within;
  const std::uint64_t whole =
      measure == EditMeasure::indel ? std::uint64_t{left} + right : std::max(left, right);
  return edits_of(whole, threshold);
}

EditPattern::EditPattern(EditMeasure measure, std::uint32_t alphabet)
    : measure_(measure), alphabet_(alphabet) {}

void EditPattern::set(SymbolSpan pattern) { pattern_ = pattern; }

std::uint32_t EditPattern::distance(SymbolSpan other, std::uint32_t most) {
  const std::size_t m = pattern_.length;
  const std::size_t n = other.length;
  const bool swaps = measure_ == EditMeasure::osa || measure_ == EditMeasure::damerau;
  // Row i + 1 holds distances of prefixes of i symbols; row 0 and column 0 stand for "never".
  const auto never = static_cast<std::uint32_t>(m + n + 1);
  std::vector<std::vector<std::uint32_t>> d(m + 2, std::vector<std::uint32_t>(n + 2, never));
  std::vector<std::size_t> last_row(alphabet_, 0);
  for (std::size_t j = 0; j <= n; ++j) d[1][j + 1] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= m; ++i) {
    d[i + 1][1] = static_cast<std::uint32_t>(i);
    std::size_t last_column = 0;
    for (std::size_t j = 1; j <= n; ++j) {
      const bool same = symbol(pattern_, i - 1) == symbol(other, j - 1);
      std::uint32_t best = std::min(d[i][j + 1], d[i + 1][j]) + 1;
      if (same) best = std::min(best, d[i][j]);
      if (!same && measure_ != EditMeasure::indel) best = std::min(best, d[i][j] + 1);
      const std::size_t row = last_row[symbol(other, j - 1)];
      if (swaps && row > 0 && last_column > 0 &&
          (measure_ == EditMeasure::damerau || (row + 1 == i && last_column + 1 == j))) {
        best = std::min(
            best, d[row][last_column] + static_cast<std::uint32_t>(i - row + j - last_column - 1));
      }
      if (same) last_column = j;
      d[i + 1][j + 1] = best;
    }
    last_row[symbol(pattern_, i - 1)] = i;
  }
  return std::min(d[m + 1][n + 1], most == ~0U ? most : most + 1);
}

}  // namespace sosie
