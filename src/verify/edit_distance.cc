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

// What the similarity of strings of these lengths is a share of.
std::uint64_t whole_of(EditMeasure measure, std::uint32_t left, std::uint32_t right) noexcept {
  return measure == EditMeasure::indel ? std::uint64_t{left} + right : std::max(left, right);
}

// Largest d with 1 - d / whole >= threshold, in integers.
std::uint32_t edits_of(std::uint64_t whole, const Rational& threshold) noexcept {
  if (threshold.num >= threshold.den) return 0;
  return static_cast<std::uint32_t>(static_cast<unsigned __int128>(whole) *
                                    (threshold.den - threshold.num) / threshold.den);
}

// The table of distances between prefixes of two strings.
class Table {
 public:
  Table(EditMeasure measure, std::uint32_t alphabet, const SymbolSpan& left,
        const SymbolSpan& right)
      : measure_(measure), left_(left), right_(right), last_row_(alphabet, 0) {
    // Row i + 1 holds distances of prefixes of i symbols; row 0 and column 0 stand for "never".
    const std::uint32_t never = left.length + right.length + 1;
    d_.assign(left.length + 2, std::vector<std::uint32_t>(right.length + 2, never));
  }

  std::uint32_t distance() {
    for (std::uint32_t j = 0; j <= right_.length; ++j) d_[1][j + 1] = j;
    for (std::uint32_t i = 1; i <= left_.length; ++i) {
      d_[i + 1][1] = i;
      std::uint32_t last_column = 0;
      for (std::uint32_t j = 1; j <= right_.length; ++j) {
        d_[i + 1][j + 1] = std::min(without_swap(i, j), by_swap(i, j, last_column));
        if (is_same(i, j)) last_column = j;
      }
      last_row_[symbol(left_, i - 1)] = i;
    }
    return d_[left_.length + 1][right_.length + 1];
  }

 private:
  [[nodiscard]] bool is_same(std::uint32_t i, std::uint32_t j) const noexcept {
    return symbol(left_, i - 1) == symbol(right_, j - 1);
  }
  [[nodiscard]] std::uint32_t without_swap(std::uint32_t i, std::uint32_t j) const noexcept {
    const std::uint32_t best = std::min(d_[i][j + 1], d_[i + 1][j]) + 1;
    if (is_same(i, j)) return std::min(best, d_[i][j]);
    return measure_ == EditMeasure::indel ? best : std::min(best, d_[i][j] + 1);
  }
  [[nodiscard]] std::uint32_t by_swap(std::uint32_t i, std::uint32_t j,
                                      std::uint32_t column) const noexcept {
    const std::uint32_t other = symbol(right_, j - 1);
    const std::uint32_t row = other < last_row_.size() ? last_row_[other] : 0;
    const bool any_swap = measure_ == EditMeasure::damerau;
    const bool swaps = any_swap || measure_ == EditMeasure::osa;
    if (!swaps || row == 0 || column == 0) return ~0U;
    if (!any_swap && (row + 1 != i || column + 1 != j)) return ~0U;
    return d_[row][column] + (i - row) + (j - column) - 1;
  }

  EditMeasure measure_;
  const SymbolSpan& left_;
  const SymbolSpan& right_;
  std::vector<std::uint32_t> last_row_;  // where each symbol stands last in the rows before
  std::vector<std::vector<std::uint32_t>> d_;
};

}  // namespace

std::uint32_t EditBound::most_edits(std::uint32_t left, std::uint32_t right) const noexcept {
  return by_similarity ? edits_of(whole_of(measure, left, right), threshold) : within;
}

double EditBound::value(std::uint32_t left, std::uint32_t right,
                        std::uint32_t distance) const noexcept {
  if (!by_similarity) return distance;
  const std::uint64_t whole = whole_of(measure, left, right);
  return whole == 0 ? 1 : static_cast<double>(whole - distance) / static_cast<double>(whole);
}

EditPattern::EditPattern(EditMeasure measure, std::uint32_t alphabet)
    : measure_(measure), alphabet_(alphabet) {}

void EditPattern::set(SymbolSpan pattern) { pattern_ = pattern; }

std::uint32_t EditPattern::distance(SymbolSpan other, std::uint32_t most) {
  const std::uint32_t distance = Table(measure_, alphabet_, pattern_, other).distance();
  return std::min(distance, most == ~0U ? most : most + 1);
}

}  // namespace sosie
