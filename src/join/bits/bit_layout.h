#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "data/columns.h"
#include "join/scored_pairs.h"
#include "kernels/near_sketches.h"
#include "verify/bit_measures.h"

namespace sosie {

// Positions [begin, end) of a layout, not none.
struct BitPositions {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Some rows of a column, laid out so that one string is compared with eight at a time: as they
// come, or where their ones bound what can be similar (is_of_sets), by ascending number of these
// (ties: as they come). Memory: as much again as the rows, and up to twelve bytes a row.
class BitLayout {
 public:
  // The column outlives this.
  BitLayout(const BitColumn& column, const RowRange& rows, bool by_ones);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] bool is_by_ones() const noexcept { return by_ones_; }
  [[nodiscard]] RowId row(std::size_t position) const noexcept { return rows_[position]; }
  [[nodiscard]] const std::uint64_t* string(std::size_t position) const noexcept {
    return column_.row(rows_[position]);
  }
  // Its ones, of a layout by ones; else 0.
  [[nodiscard]] std::uint64_t ones(std::size_t position) const noexcept {
    return by_ones_ ? ones_[position] : 0;
  }

  // Bits that a string with so many ones differs in from each of some, at least.
  [[nodiscard]] std::uint64_t least_difference(std::uint64_t ones,
                                               const BitPositions& some) const noexcept;
  // Ones of it and of the string among some that has the most.
  [[nodiscard]] std::uint64_t most_ones(std::uint64_t ones,
                                        const BitPositions& some) const noexcept {
    return ones + this->ones(some.end - 1);
  }

  // Calls visit(position) for strings within `some` that differ from this one in fewer bits than
  // `limit`. `near` is working memory.
  template <typename Visit>
  void each_near(const std::uint64_t* string, const BitPositions& some, std::uint64_t limit,
                 std::vector<std::uint8_t>& near, const Visit& visit) const {
    constexpr std::size_t kBlock = kernels::kSketchBlock;
    constexpr std::size_t kAtOnce = sizeof(std::uint64_t);  // blocks whose marks are looked at
    const std::size_t first = some.begin / kBlock;
    const std::size_t count = (some.end + kBlock - 1) / kBlock - first;
    near.assign(count + kAtOnce, 0);
    kernels::near_sketches(string, blocks_.data() + first * kBlock * column_.words, count,
                           column_.words, limit, near.data());
    for (std::size_t i = 0; i < count; i += kAtOnce) {
      std::uint64_t marks = 0;
      std::memcpy(&marks, near.data() + i, sizeof marks);
      if (marks == 0) continue;
      for (std::size_t block = i; block < i + kAtOnce; ++block) {
        for (unsigned bits = near[block]; bits != 0; bits &= bits - 1) {
          const std::size_t at =
              (first + block) * kBlock + static_cast<std::size_t>(std::countr_zero(bits));
          if (at >= some.begin && at < some.end) visit(at);
        }
      }
    }
  }

 private:
  const BitColumn& column_;
  bool by_ones_;
  std::vector<RowId> rows_;            // by position
  std::vector<std::uint64_t> ones_;    // by position
  std::vector<std::uint64_t> blocks_;  // in the layout of near_sketches()
};

}  // namespace sosie
