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

// Positions [begin, end) of a layout, not empty.
struct BitPositions {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Some rows of a column, arranged so that a string can be compared with eight of them at a time.
// They are in their original order or, if the number of ones bounds the similarity (is_of_sets),
// sorted by it (ties: in their original order). Memory: as much again as the rows, plus up to
// twelve bytes per row.
class BitLayout {
 public:
  // The column must outlive this object.
  BitLayout(const BitColumn& column, const RowRange& rows, bool by_ones);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] bool is_by_ones() const noexcept { return by_ones_; }
  [[nodiscard]] RowId row(std::size_t position) const noexcept { return rows_[position]; }
  [[nodiscard]] const std::uint64_t* string(std::size_t position) const noexcept {
    return column_.row(rows_[position]);
  }
  // The number of ones in the string if the layout is sorted by it; otherwise 0.
  [[nodiscard]] std::uint64_t ones(std::size_t position) const noexcept {
    return by_ones_ ? ones_[position] : 0;
  }

  // Minimum number of bits by which a string with this many ones differs from each string in a
  // range.
  [[nodiscard]] std::uint64_t least_difference(std::uint64_t ones,
                                               const BitPositions& some) const noexcept;
  // The number of ones or, if that is larger, the largest number of ones in a range.
  [[nodiscard]] std::uint64_t most_ones(std::uint64_t ones,
                                        const BitPositions& some) const noexcept {
    return ones + this->ones(some.end - 1);
  }

  // Calls visit(position) for each string within `some` that differs from this one by fewer than
  // `limit` bits. `near`: working memory.
  template <typename Visit>
  void each_near(const std::uint64_t* string, const BitPositions& some, std::uint64_t limit,
                 std::vector<std::uint8_t>& near, const Visit& visit) const {
    constexpr std::size_t kBlock = kernels::kSketchBlock;
    constexpr std::size_t kAtOnce = sizeof(std::uint64_t);  // blocks whose marks are read together
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
