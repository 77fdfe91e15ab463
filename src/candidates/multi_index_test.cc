#include "candidates/multi_index.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <map>

#include "core/hash64.h"

namespace sosie {
namespace {

// Rows of 2, near to each other.
BitColumn made(std::size_t rows, std::size_t bits, std::uint64_t seed) {
  BitColumn column{rows, bits, (bits + 63) / 64, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t word = 0; word < column.words; ++word) {
      const std::size_t here = std::min<std::size_t>(64, bits - 64 * word);
      const std::uint64_t mask = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
      const std::uint64_t noise = std::uint64_t{1} << random64(seed + 1, row) % here;
      column.data.push_back((random64(seed, row / 2 * column.words + word) ^ noise) & mask);
    }
  }
  return column;
}

std::size_t distance(const BitColumn& column, std::size_t a, std::size_t b) {
  std::size_t bits = 0;
  for (std::size_t word = 0; word < column.words; ++word) {
    bits += static_cast<std::size_t>(std::popcount(column.row(a)[word] ^ column.row(b)[word]));
  }
  return bits;
}

RC_GTEST_PROP(MultiIndex, MeetsEveryPairWithinTheRadiusOnce, ()) {
  ThreadPool pool(1, nullptr);
  const auto bits = static_cast<std::size_t>(*rc::gen::inRange(4, 200));
  const auto radius = static_cast<std::size_t>(*rc::gen::inRange(0, 4));
  const BitColumn column = made(60, bits, *rc::gen::arbitrary<std::uint64_t>());
  const MultiIndex index(column, radius, pool);
  std::map<std::pair<std::size_t, std::size_t>, int> first_meetings;
  std::uint64_t meetings = 0;
  for (std::size_t block = 0; block < index.block_count(); ++block) {
    index.for_each_in_block(block, [&](std::uint32_t row, std::span<const std::uint32_t> others) {
      for (const std::uint32_t other : others) {
        RC_ASSERT(row < other);
        ++meetings;
        if (!index.met_before(block, row, other)) ++first_meetings[{row, other}];
      }
    });
  }
  RC_ASSERT(meetings == index.pair_count());
  for (const auto& [pair, count] : first_meetings) RC_ASSERT(count == 1);
  for (std::size_t a = 0; a < column.rows; ++a) {
    for (std::size_t b = a + 1; b < column.rows; ++b) {
      if (distance(column, a, b) <= radius) RC_ASSERT(first_meetings.count({a, b}) == 1U);
    }
  }
}

}  // namespace
}  // namespace sosie
