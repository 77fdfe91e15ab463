#include "verify/bit_measures.h"

#include <gtest/gtest.h>

#include <array>
#include <bitset>

#include "verify/measures.h"

namespace sosie {
namespace {

double between(std::string_view name, const std::string& left, const std::string& right) {
  const std::uint64_t x = std::bitset<64>(left).to_ullong();
  const std::uint64_t y = std::bitset<64>(right).to_ullong();
  return bit_measure(name)->value(count_bits(&x, &y, 1));
}

TEST(BitMeasures, T5_5_HammingDistances) {
  EXPECT_EQ(between("hamming", "10101", "11110"), 3);
  const std::array<std::string, 4> strings{"000000", "110011", "010101", "011100"};
  constexpr std::array<double, 6> kExpected{4, 3, 3, 3, 5, 2};
  std::size_t next = 0;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    for (std::size_t j = i + 1; j < strings.size(); ++j) {
      EXPECT_EQ(between("hamming", strings[i], strings[j]), kExpected[next++]);
    }
  }
}

TEST(BitMeasures, T1_1_JaccardOfBitColumns) {
  EXPECT_EQ(between("jaccard", "10111", "10011"), .75);
  EXPECT_EQ(between("jaccard", "0", "0"), 1);
}

TEST(BitMeasures, T1_1_AnEmptySetReachesNoBoundOfJaccard) {
  const BitMeasure jaccard = *bit_measure("jaccard");
  EXPECT_FALSE(jaccard.reaches({.shared = 0, .united = 0}, *parse_rational("0.5")));
  EXPECT_TRUE(bit_measure("hamming")->reaches({.shared = 0, .united = 0}, *parse_rational("0")));
}

TEST(BitMeasures, AreDecidedAsTheBoundIsWritten) {
  const BitCounts counts{.shared = 9, .united = 10};
  const BitMeasure jaccard = *bit_measure("jaccard");
  EXPECT_TRUE(jaccard.reaches(counts, *parse_rational("0.9")));
  EXPECT_FALSE(jaccard.reaches(counts, *parse_rational("0.900000001")));
  const BitMeasure hamming = *bit_measure("hamming");
  EXPECT_TRUE(hamming.reaches(counts, *parse_rational("1")));
  EXPECT_FALSE(hamming.reaches(counts, *parse_rational("0.99")));
}

}  // namespace
}  // namespace sosie
