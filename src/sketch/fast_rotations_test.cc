#include "sketch/fast_rotations.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/real_functions.h"
#include "sketch/collision_laws.h"
#include "sketch/vectors_at_angle_test.h"

namespace sosie {
namespace {

using Words = std::vector<std::uint64_t>;

// Two vectors of length 1 at this angle, in a random plane or in the plane of two axes.
std::vector<Vector> in_plane(double degrees, std::size_t dimension, std::uint64_t seed,
                             bool of_axes) {
  if (!of_axes) return vectors_at_angle(degrees, dimension, seed);
  Vector x(dimension);
  Vector y(dimension);
  x[seed % dimension] = 1;
  y[seed % dimension] = std::cos(degrees * kPi / 180);
  y[(seed + 1) % dimension] = std::sin(degrees * kPi / 180);
  return {x, y};
}

// Words of each vector's sides.
std::vector<Words> sides_of(const FastRotations& rotations, const std::vector<Vector>& rows) {
  std::vector<const double*> starts;
  for (const Vector& row : rows) starts.push_back(row.data());
  Words all;
  rotations.sides(starts, all);
  std::vector<Words> sides;
  const auto words = static_cast<std::ptrdiff_t>(rotations.words());
  for (std::ptrdiff_t v = 0; v < static_cast<std::ptrdiff_t>(rows.size()); ++v) {
    sides.emplace_back(all.begin() + v * words, all.begin() + (v + 1) * words);
  }
  return sides;
}

Words agreements(const FastRotations& rotations, const std::vector<Vector>& pair) {
  const auto sides = sides_of(rotations, pair);
  Words same(sides[0].size());
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = ~(sides[0][i] ^ sides[1][i]);
  return same;
}

TEST(FastRotations, CollideAsTheLawSays) {
  constexpr std::size_t kRotations = 32;
  for (const bool along_axes : {false, true}) {
    for (const std::size_t dimension : {2U, 3U, 100U, 784U, 1500U}) {
      for (const double degrees : {1.0, 8.0, 26.0, 60.0, 90.0, 150.0}) {
        const FastRotations rotations(dimension, dimension, 0, kRotations);
        double agreeing = 0;
        for (const std::uint64_t word :
             agreements(rotations, in_plane(degrees, dimension, 7, along_axes))) {
          agreeing += std::popcount(word);
        }
        const double count = 64.0 * static_cast<double>(rotations.words());
        const double p = hyperplane_collision_law(degrees);
        EXPECT_NEAR(agreeing / count, p, 4 * std::sqrt(p * (1 - p) / count))
            << degrees << " degrees in " << dimension << " dimensions, axes " << along_axes;
      }
    }
  }
}

// The functions of a rotation are practically independent of each other.
TEST(FastRotations, FindPairsInBandsAsIfFunctionsWereIndependent) {
  constexpr std::size_t kRows = 16;
  constexpr std::size_t kBands = 1024 / kRows;
  constexpr std::size_t kTrials = 3000;
  constexpr double kDegrees = 25.84;  // cosine .9
  const double band = std::pow(hyperplane_collision_law(kDegrees), kRows);
  const double recall = 1 - std::pow(1 - band, kBands);
  for (const std::size_t dimension : {2U, 100U, 1000U}) {
    double bands = 0;
    double found = 0;
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      const FastRotations rotations(dimension, 1 + trial, 0, 1);
      std::size_t met = 0;
      for (const std::uint64_t word :
           agreements(rotations, in_plane(kDegrees, dimension, 3 * trial, trial % 2 == 0))) {
        for (std::size_t i = 0; i < 64; i += kRows) {
          met += (word >> i & 0xFFFF) == 0xFFFF ? 1U : 0U;
        }
      }
      bands += static_cast<double>(met);
      found += met > 0 ? 1 : 0;
    }
    EXPECT_NEAR(bands / (kTrials * kBands), band, .03 * band) << dimension;
    EXPECT_NEAR(found / kTrials, recall, 4 * std::sqrt(recall * (1 - recall) / kTrials))
        << dimension;
  }
}

TEST(FastRotations, AreTheSameInAnyList) {
  constexpr std::size_t kDimension = 300;
  const auto pair = vectors_at_angle(40, kDimension, 5);
  const FastRotations all(kDimension, 9, 0, 4);
  const FastRotations some(kDimension, 9, 2, 4);
  const auto of_all = sides_of(all, pair);
  const auto of_some = sides_of(some, pair);
  ASSERT_EQ(some.words() * 2, all.words());
  for (std::size_t v = 0; v < pair.size(); ++v) {
    EXPECT_EQ(Words(of_all[v].begin() + static_cast<std::ptrdiff_t>(some.words()), of_all[v].end()),
              of_some[v]);
  }
  // A vector's signs do not depend on the vectors that are rotated with it.
  EXPECT_EQ(sides_of(some, {pair[1]})[0], of_some[1]);
}

TEST(FastRotations, AreAsWideAsTheirVectorsAndNoNarrowerThanBandsNeed) {
  EXPECT_EQ(rotation_width(1), 1024U);
  EXPECT_EQ(rotation_width(1024), 1024U);
  EXPECT_EQ(rotation_width(1025), 2048U);
  EXPECT_EQ(rotation_width(100000), std::size_t{1} << 17);
}

// The values are part of the recipe.
TEST(FastRotations, ArePinned) {
  const FastRotations rotations(3, 1, 0, 1);
  const auto sides = sides_of(rotations, {{1, 0, 0}, {.6, 0, -.8}});
  EXPECT_EQ(Words(sides[0].begin(), sides[0].begin() + 2),
            (Words{166165516745787631, 14328373961084063307U}));
  EXPECT_EQ(Words(sides[1].begin(), sides[1].begin() + 2),
            (Words{6939545512774016109, 13879256439890144904U}));
}

}  // namespace
}  // namespace sosie
