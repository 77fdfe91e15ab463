// Damerau's distance, with two rows of the table and, for each column, one value from the last row
// in which the column's symbol matched. Cells farther than `most` from the diagonal are skipped,
// because no path of at most `most` edits passes through them.
#include "verify/damerau_distance.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sosie {
namespace {

constexpr std::uint64_t kCellsPerCheck = std::uint64_t{1} << 20;

template <class Symbol>
class DamerauTable {
 public:
  DamerauTable(const SymbolSpan& left, const SymbolSpan& right, std::uint32_t most,
               const DamerauMemory& memory)
      : left_(left), right_(right), most_(most), last_row_(memory.last_row), pool_(memory.pool) {
    std::vector<std::uint32_t>& rows = memory.rows;
    never_ = std::max(left.length, right.length) + 1;
    // Column j is stored at j + 1, so that there is a column before the first.
    const std::size_t columns = std::size_t{right.length} + 2;
    rows.assign(3 * columns, never_);
    before_ = rows.data();  // row i - 1
    current_ = rows.data() + columns;
    before_match_ = rows.data() + 2 * columns;
    std::iota(before_ + 1, before_ + columns, 0U);
  }

  std::uint32_t distance() {
    const std::uint64_t cells =
        std::min<std::uint64_t>(right_.length, 2 * std::uint64_t{most_} + 1);
    const auto rows_per_check = static_cast<std::uint32_t>(kCellsPerCheck / (cells + 1) + 1);
    for (std::uint32_t i = 1; i <= left_.length; ++i) {
      if (pool_ != nullptr && i % rows_per_check == 0) pool_->check_cancelled();
      fill_row(i);
      std::swap(before_, current_);
      last_row_[symbol(left_, i)] = i;
    }
    for (std::uint32_t i = 1; i <= left_.length; ++i) last_row_[symbol(left_, i)] = 0;
    return std::min(before_[std::size_t{right_.length} + 1], most_ + 1);
  }

 private:
  [[nodiscard]] static Symbol symbol(const SymbolSpan& string, std::uint32_t i) noexcept {
    Symbol value = 0;
    std::memcpy(&value, string.data + std::size_t{i - 1} * sizeof(Symbol), sizeof(Symbol));
    return value;
  }
  [[nodiscard]] std::uint32_t last_row_of(Symbol symbol) const noexcept {
    return symbol < last_row_.size() ? last_row_[symbol] : 0;
  }

  void fill_row(std::uint32_t i) {
    const std::uint32_t first = i > most_ ? i - most_ : 1;
    const std::uint32_t past =
        right_.length - std::min(right_.length, i) > most_ ? i + most_ + 1 : right_.length + 1;
    const Symbol mine = symbol(left_, i);
    std::uint32_t last_column = 0;               // where `mine` last occurred in this row
    std::uint32_t two_before = current_[first];  // row i - 2, column first - 1
    std::uint32_t at_match = never_;             // row i - 2, before the column of the last match
    current_[first] = first == 1 ? i : never_;
    for (std::uint32_t j = first; j < past; ++j) {
      const Symbol other = symbol(right_, j);
      std::uint32_t best = std::min(current_[j], before_[j + 1]) + 1;
      if (mine == other) {
        best = std::min(best, before_[j]);
        last_column = j;
        before_match_[j] = before_[j - 1];
        at_match = two_before;
      } else {
        best = std::min(best, before_[j] + 1);
        const std::uint32_t row = last_row_of(other);
        if (row > 0 && last_column > 0 && j - last_column == 1) {
          best = std::min(best, before_match_[j] + (i - row));
        } else if (row > 0 && last_column > 0 && i - row == 1) {
          best = std::min(best, at_match + (j - last_column));
        }
      }
      two_before = current_[j + 1];
      current_[j + 1] = best;
    }
  }

  const SymbolSpan& left_;
  const SymbolSpan& right_;
  std::uint32_t most_;
  std::span<std::uint32_t> last_row_;  // the latest row with each symbol
  const ThreadPool* pool_;
  std::uint32_t never_;
  std::uint32_t* before_;
  std::uint32_t* current_;
  std::uint32_t* before_match_;
};

}  // namespace

std::uint32_t damerau_distance(const SymbolSpan& left, const SymbolSpan& right, std::uint32_t most,
                               const DamerauMemory& memory) {
  if (left.width == 1) {
    return DamerauTable<std::uint8_t>(left, right, most, memory).distance();
  }
  if (left.width == 2) {
    return DamerauTable<std::uint16_t>(left, right, most, memory).distance();
  }
  return DamerauTable<std::uint32_t>(left, right, most, memory).distance();
}

}  // namespace sosie
