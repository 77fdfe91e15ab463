// Edit distances of near strings, from the farthest point on each diagonal.
#include "verify/distance_by_diagonals.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace sosie {
namespace {

constexpr std::int64_t kNowhere = -(std::int64_t{1} << 40);

template <class Symbol>
class Diagonals {
 public:
  Diagonals(EditMeasure measure, const SymbolSpan& left, const SymbolSpan& right)
      : replaces_(measure != EditMeasure::indel),
        swaps_(measure == EditMeasure::osa),
        left_(left.data),
        right_(right.data),
        left_length_(left.length),
        right_length_(right.length) {}

  std::uint32_t distance(std::uint32_t most) noexcept {
    const std::int64_t last = right_length_ - left_length_;
    // A path from the first diagonal to the last cannot spend more edits than this on detours.
    const std::int64_t spare = (static_cast<std::int64_t>(most) - std::abs(last)) / 2;
    if (std::abs(last) > most) return most + 1;
    const std::int64_t lowest = std::min<std::int64_t>(0, last) - spare;
    const std::int64_t highest = std::max<std::int64_t>(0, last) + spare;
    reach_.fill(kNowhere);
    reached(0) = extended(0, 0);
    for (std::uint32_t edits = 0;; ++edits) {
      if (reached(last) == left_length_) return edits;
      if (edits == most) return most + 1;
      const std::int64_t next = std::int64_t{edits} + 1;
      std::int64_t below = kNowhere;  // reach of the diagonal below before this edit
      for (std::int64_t at = std::max(-next, lowest); at <= std::min(next, highest); ++at) {
        const std::int64_t here = reached(at);
        reached(at) = extended(edited(at, below, here), at);
        below = here;
      }
    }
  }

 private:
  [[nodiscard]] std::int64_t& reached(std::int64_t diagonal) noexcept {
    return reach_[static_cast<std::size_t>(diagonal + kMostDiagonalEdits + 1)];
  }

  // The position reached by one more edit: an insertion from the diagonal below, or a deletion from
  // the diagonal above.
  [[nodiscard]] std::int64_t edited(std::int64_t diagonal, std::int64_t below,
                                    std::int64_t here) noexcept {
    std::int64_t best = std::max(below, reached(diagonal + 1) + 1);
    if (replaces_) best = std::max(best, here + 1);
    if (swaps_ && is_swap(here, here + diagonal)) best = std::max(best, here + 2);
    return std::min({best, left_length_, right_length_ - diagonal});
  }

  [[nodiscard]] bool is_swap(std::int64_t i, std::int64_t j) const noexcept {
    return i >= 0 && j >= 0 && i + 2 <= left_length_ && j + 2 <= right_length_ &&
           symbol(left_, i) == symbol(right_, j + 1) && symbol(left_, i + 1) == symbol(right_, j);
  }

  [[nodiscard]] static Symbol symbol(const std::byte* string, std::int64_t i) noexcept {
    Symbol value = 0;
    std::memcpy(&value, string + static_cast<std::size_t>(i) * sizeof(Symbol), sizeof(Symbol));
    return value;
  }

  // The end of the run of equal symbols that starts in row i.
  [[nodiscard]] std::int64_t extended(std::int64_t i, std::int64_t diagonal) const noexcept {
    constexpr std::int64_t kSymbols = 8 / sizeof(Symbol);
    const std::int64_t end = std::min(left_length_, right_length_ - diagonal);
    if (i < 0) return i;
    for (; i + kSymbols <= end; i += kSymbols) {
      const std::uint64_t different = word(left_, i) ^ word(right_, i + diagonal);
      if (different != 0) return i + first_of(different);
    }
    while (i < end && symbol(left_, i) == symbol(right_, i + diagonal)) ++i;
    return i;
  }

  [[nodiscard]] static std::uint64_t word(const std::byte* string, std::int64_t i) noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, string + static_cast<std::size_t>(i) * sizeof(Symbol), sizeof value);
    return value;
  }
  [[nodiscard]] static std::int64_t first_of(std::uint64_t different) noexcept {
    const int bits = std::endian::native == std::endian::little ? std::countr_zero(different)
                                                                : std::countl_zero(different);
    return bits / static_cast<int>(8 * sizeof(Symbol));
  }

  bool replaces_;
  bool swaps_;
  const std::byte* left_;
  const std::byte* right_;
  std::int64_t left_length_;
  std::int64_t right_length_;
  std::array<std::int64_t, 2 * kMostDiagonalEdits + 3> reach_{};
};

}  // namespace

std::uint32_t distance_by_diagonals(EditMeasure measure, const SymbolSpan& left,
                                    const SymbolSpan& right, std::uint32_t most) noexcept {
  if (left.width == 1) return Diagonals<std::uint8_t>(measure, left, right).distance(most);
  if (left.width == 2) return Diagonals<std::uint16_t>(measure, left, right).distance(most);
  return Diagonals<std::uint32_t>(measure, left, right).distance(most);
}

}  // namespace sosie
