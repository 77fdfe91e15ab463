// Tests that band keys are equal for equal bands and for no others.
#include "sketch/band_keys.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "core/mix64.h"

namespace sosie {
namespace {

TEST(BandKeys, EqualBandsHaveEqualKeysAndNoOthers) {
  std::vector<std::uint32_t> a(64);
  std::iota(a.begin(), a.end(), 1U);
  std::vector<std::uint32_t> b = a;
  b[7] ^= 1;  // in band 1 of 16 bands of 4
  std::vector<std::uint64_t> keys_a(16);
  std::vector<std::uint64_t> keys_b(16);
  band_keys(a, 4, keys_a);
  band_keys(b, 4, keys_b);
  for (std::size_t band = 0; band < 16; ++band) {
    EXPECT_LT(keys_a[band], std::uint64_t{1} << kBandKeyBits);
    EXPECT_EQ(keys_a[band] == keys_b[band], band != 1) << band;
  }
  const std::vector<std::uint32_t> same(64, 5);
  band_keys(same, 4, keys_a);
  EXPECT_NE(keys_a[0], keys_a[1]);  // equal values in different bands
}

TEST(FunctionKeys, TakeBitsAcrossWords) {
  const std::vector<std::uint64_t> words = {0xFEDCBA9876543210, 0x0123456789ABCDEF};
  EXPECT_EQ(bits_from(words, 0, 64), words[0]);
  EXPECT_EQ(bits_from(words, 4, 8), 0x21U);
  EXPECT_EQ(bits_from(words, 60, 8), 0xFFU);
  EXPECT_EQ(bits_from(words, 32, 64), 0x89ABCDEFFEDCBA98U);
  EXPECT_EQ(bits_from(words, 120, 8), 0x01U);
  EXPECT_EQ(bits_from(words, 127, 1), 0U);
}

// Each key depends on all values in its band, and on no others.
TEST(FunctionKeys, DependOnTheValuesOfTheirBand) {
  constexpr std::size_t kBands = 9;
  for (const std::size_t rows : {1U, 7U, 64U}) {
    std::vector<std::uint64_t> words(rows * kBands / 64 + 1);
    std::vector<double> cells(rows * kBands);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = random64(rows, i);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<double>(i % 5) - 2;
    std::vector<std::uint32_t> of_bits(kBands);
    std::vector<std::uint32_t> of_cells(kBands);
    keys_of_bits(words, rows, of_bits);
    keys_of_cells(cells, rows, of_cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::vector<std::uint64_t> other_words = words;
      std::vector<double> other_cells = cells;
      other_words[i / 64] ^= std::uint64_t{1} << (i % 64);
      other_cells[i] += 1;
      std::vector<std::uint32_t> keys(kBands);
      keys_of_bits(other_words, rows, keys);
      for (std::size_t band = 0; band < kBands; ++band) {
        EXPECT_EQ(keys[band] != of_bits[band], band == i / rows);
      }
      keys_of_cells(other_cells, rows, keys);
      for (std::size_t band = 0; band < kBands; ++band) {
        EXPECT_EQ(keys[band] != of_cells[band], band == i / rows);
      }
    }
  }
}

TEST(FunctionKeys, BeginWhereTheirValuesDo) {
  const std::vector<std::uint64_t> words = {random64(3, 0), random64(3, 1), random64(3, 2)};
  std::vector<std::uint32_t> all(12);
  std::vector<std::uint32_t> some(3);
  keys_of_bits(words, 11, all);
  keys_of_bits(words, 11, some, 7, 77);
  EXPECT_EQ(some, std::vector<std::uint32_t>(all.begin() + 7, all.begin() + 10));
}

TEST(FunctionKeys, OfEqualValuesDifferFromBandToBand) {
  const std::vector<std::uint64_t> words(4);
  const std::vector<double> cells(256);
  std::vector<std::uint32_t> keys(32);
  keys_of_bits(words, 8, keys);
  EXPECT_EQ(std::set<std::uint32_t>(keys.begin(), keys.end()).size(), 32U);
  keys_of_cells(cells, 8, keys);
  EXPECT_EQ(std::set<std::uint32_t>(keys.begin(), keys.end()).size(), 32U);
}

TEST(FunctionKeys, SketchBitsOfDifferentCellsAgreeHalfTheTime) {
  constexpr std::size_t kBits = 64 * 400;
  std::vector<double> cells(kBits, 3);
  std::vector<std::uint64_t> words(kBits / 64);
  sketch_of_cells(cells, words);
  for (const double cell : {4.0, -3.0, 5.0, 1e15}) {
    std::vector<std::uint64_t> others(words.size());
    sketch_of_cells(std::vector<double>(kBits, cell), others);
    double agreeing = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      agreeing += 64 - std::popcount(words[i] ^ others[i]);
    }
    EXPECT_NEAR(agreeing / kBits, 0.5, 4 * std::sqrt(0.25 / kBits)) << cell;
  }
}

// The keys are part of the recipe.
TEST(FunctionKeys, ArePinned) {
  const std::vector<std::uint64_t> words = {0x0123456789ABCDEF};
  std::vector<std::uint32_t> keys(2);
  keys_of_bits(words, 20, keys);
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{3537572061, 1322768900}));
  const std::vector<double> cells = {-2, 0, 5, 1e9};
  keys_of_cells(cells, 2, keys);
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{2434076767, 3016477366}));
}

}  // namespace
}  // namespace sosie
