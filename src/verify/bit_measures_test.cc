#include "verify/bit_measures.h"

#include <gtest/gtest.h>

#include <array>
#include <bitset>

#include "verify/measures.h"

namespace sosie {
namespace {

double bits_between(std::string_view name, const std::string& left, const std::string& right) {
  const std::uint64_t x = std::bitset<64>(left).to_ullong();
  const std::uint64_t y = std::bitset<64>(right).to_ullong();
  return bit_measure(name)->value(count_bits(&x, &y, 1));
}

TEST(BitMeasures, T5_5_HammingDistances) {
  EXPECT_EQ(bits_between("hamming", "10101", "11110"), 3);
  const std::array<std::string, 4> strings{"000000", "110011", "010101", "011100"};
  constexpr std::array<double, 6> kExpected{4, 3, 3, 3, 5, 2};
  std::size_t next = 0;
  for (std::size_t i = 0; i < strings.size(); ++i) {
    for (std::size_t j = i + 1; j < strings.size(); ++j) {
      EXPECT_EQ(bits_between("hamming", strings[i], strings[j]), kExpected[next++]);
    }
  }
}

TEST(BitMeasures, T1_1_JaccardOfBitColumns) {
  EXPECT_EQ(bits_between("jaccard", "10111", "10011"), .75);
  EXPECT_EQ(bits_between("jaccard", "0", "0"), 1);
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

// Joins do not examine strings that differ in more bits.
TEST(BitMeasures, BoundTheBitsThatMayDiffer) {
  for (const char* name : {"jaccard", "hamming"}) {
    const BitMeasure measure = *bit_measure(name);
    for (const char* typed : {"1", "0.9", "0.5", "0.333", "0.01"}) {
      const Rational bound = *parse_rational(typed);
      for (std::uint64_t united = 1; united < 70; ++united) {
        for (std::uint64_t shared = 0; shared <= united; ++shared) {
          const BitCounts counts{shared, united};
          EXPECT_EQ(measure.reaches(counts, bound),
                    counts.different() <= measure.largest_difference(shared + united, bound));
          EXPECT_EQ(counts.different(),
                    measure.difference_of_value(shared + united, measure.value(counts)));
        }
      }
    }
  }
}

TEST(BitMeasures, BoundTheBitsOfLongStrings) {
  const BitMeasure measure = *bit_measure("jaccard");
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t united = kMost - i * 7919;
    const BitCounts counts{united - united * i / 1000, united};
    EXPECT_EQ(counts.different(),
              measure.difference_of_value(counts.shared + counts.united, measure.value(counts)));
    EXPECT_EQ(counts.different(), measure.largest_difference(counts.shared + counts.united,
                                                             {counts.shared, counts.united}));
  }
}

}  // namespace
}  // namespace sosie
