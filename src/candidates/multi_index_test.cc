#include "candidates/multi_index.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <map>
#include <numeric>

#include "candidates/banded_join.h"
#include "core/mix64.h"

namespace sosie {
namespace {

// Rows in pairs that are near each other.
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

// Number of pairs that agree in a block, summed over all blocks.
std::size_t block_pairs(const BandedRows& index) {
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < index.rows; ++a) {
    for (std::size_t b = a + 1; b < index.rows; ++b) {
      for (std::size_t band = 0; band < index.bands; ++band) {
        pairs += index.keys_of(a)[band] == index.keys_of(b)[band] ? 1 : 0;
      }
    }
  }
  return pairs;
}

RC_GTEST_PROP(MultiIndex, FindsEveryPairWithinTheRadiusOnceAndNoOther, ()) {
  ThreadPool pool(1, nullptr);
  const auto bits = static_cast<std::size_t>(*rc::gen::inRange(4, 200));
  const auto radius = static_cast<std::size_t>(*rc::gen::inRange(0, 4));
  const BitColumn column = made(60, bits, *rc::gen::arbitrary<std::uint64_t>());
  const BandedRows index = multi_index(column, radius, {0, block_count(column, radius)}, pool);
  std::vector<std::uint32_t> rows(column.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  std::map<std::pair<std::size_t, std::size_t>, int> found;
  find_candidates({&index, rows}, pool, [&](std::span<const CandidatePair> pairs) {
    for (const CandidatePair& pair : pairs) ++found[{pair.left, pair.right}];
  });
  for (std::size_t a = 0; a < column.rows; ++a) {
    for (std::size_t b = a + 1; b < column.rows; ++b) {
      const int times = found.contains({a, b}) ? found.at({a, b}) : 0;
      RC_ASSERT(times == (distance(column, a, b) <= radius ? 1 : 0));
    }
  }
}

TEST(MultiIndex, CountsThePairsOfFewRowsAndGuessesThoseOfMany) {
  ThreadPool pool(1, nullptr);
  const BitColumn few = made(600, 20, 1);
  const auto every = static_cast<double>(block_pairs(multi_index(few, 1, {0, 2}, pool)));
  EXPECT_EQ(expected_block_pairs(few, 1, 1e18), every);
  EXPECT_GT(expected_block_pairs(few, 1, every / 4), every / 4);  // it stops after a block
  EXPECT_LT(expected_block_pairs(few, 1, every / 4), every);
  // Random blocks of 8 bits: one pair in 256 agrees.
  BitColumn many{100000, 16, 1, {}};
  for (std::size_t row = 0; row < many.rows; ++row) many.data.push_back(random64(3, row) & 0xFFFF);
  const double expected = 2 * 100000.0 * 99999 / 2 / 256;
  EXPECT_NEAR(expected_block_pairs(many, 1, 1e18), expected, 0.02 * expected);
  EXPECT_EQ(expected_block_pairs(BitColumn{}, 3, 1e18), 0);
}

}  // namespace
}  // namespace sosie
