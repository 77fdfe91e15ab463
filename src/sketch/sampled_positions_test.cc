#include "sketch/sampled_positions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/mix64.h"
#include "sketch/collision_laws.h"

namespace sosie {
namespace {

// "000001" as a row of one word; positions count from 1, as in the book.
std::uint64_t word_of(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    word |= static_cast<std::uint64_t>(text[i] == '1') << i;
  }
  return word;
}

std::vector<int> functions_that_agree(std::string_view left, std::string_view right) {
  const std::uint64_t x = word_of(left);
  const std::uint64_t y = word_of(right);
  std::vector<int> agreeing;
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    if (bit_at(&x, i) == bit_at(&y, i)) agreeing.push_back(static_cast<int>(i) + 1);
  }
  return agreeing;
}

TEST(BitSamples, T7_1_FunctionsThatMakePairsCandidates) {
  using Functions = std::vector<int>;
  EXPECT_EQ(functions_that_agree("000000", "110011"), (Functions{3, 4}));
  EXPECT_EQ(functions_that_agree("000000", "010101"), (Functions{1, 3, 5}));
  EXPECT_EQ(functions_that_agree("000000", "011100"), (Functions{1, 5, 6}));
  EXPECT_EQ(functions_that_agree("110011", "010101"), (Functions{2, 3, 6}));
  EXPECT_EQ(functions_that_agree("110011", "011100"), (Functions{2}));
  EXPECT_EQ(functions_that_agree("010101", "011100"), (Functions{1, 2, 4, 5}));
}

TEST(BitSamples, CollideAsTheLawSays) {
  constexpr std::size_t kSamples = 40000;
  for (const std::size_t bits : {7U, 64U, 1000U}) {
    for (const std::size_t different : {std::size_t{1}, bits / 3, bits - 1}) {
      std::vector<std::uint64_t> x(bits / 64 + 1);
      std::vector<std::uint64_t> y(bits / 64 + 1);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] = random64(bits, i);
      for (std::size_t i = 0; i < different; ++i) {  // spread over the positions
        const std::size_t at = i * bits / different;
        y[at / 64] ^= std::uint64_t{1} << (at % 64);
      }
      double same = 0;
      for (const std::uint32_t position : sampled_positions(kSamples, bits, 5)) {
        ASSERT_LT(position, bits);
        if (bit_at(x.data(), position) == bit_at(y.data(), position)) ++same;
      }
      const double p =
          bit_sampling_collision_law(static_cast<double>(different) / static_cast<double>(bits));
      EXPECT_NEAR(same / kSamples, p, 4 * std::sqrt(p * (1 - p) / kSamples))
          << different << " of " << bits;
    }
  }
}

}  // namespace
}  // namespace sosie
