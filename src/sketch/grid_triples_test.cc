// Tests of functions that select squares, and of T-8.3 on artificial fingerprints.

#include "sketch/grid_triples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "candidates/banded_join.h"
#include "core/mix64.h"
#include "plan/construction.h"

namespace sosie {
namespace {

using Squares = std::vector<std::uint64_t>;

Squares grid_of(std::size_t count) {
  Squares grid(count);
  std::iota(grid.begin(), grid.end(), std::uint64_t{1000});
  return grid;
}

TEST(GridTriples, NameDifferentSquaresEachAsOften) {
  const Squares grid = grid_of(7);
  constexpr std::size_t kCount = 70'000;
  const GridFunctions functions(grid, kCount, 3, 1);
  std::array<double, 7> named{};
  for (std::size_t f = 0; f < kCount; ++f) {
    const auto squares = functions.squares_of(f);
    EXPECT_EQ(std::set<std::uint32_t>(squares.begin(), squares.end()).size(), 3U);
    for (const std::uint32_t square : squares) ++named.at(square);
  }
  for (const double count : named) EXPECT_NEAR(count, kCount * 3 / 7.0, 4 * std::sqrt(kCount / 4));
}

TEST(GridTriples, PutSetsIntoABucketThatHaveAllSquaresAndLeaveAllOthersAlone) {
  const Squares grid = grid_of(20);
  constexpr std::size_t kRows = 2;
  const GridFunctions functions(grid, 400, 2, 5);
  const Squares set{1001, 1003, 1004, 1007, 1008, 1009, 1012, 1013, 1015, 1017, 1018, 1019};
  std::vector<std::uint32_t> keys(200);
  functions.keys(set, kRows, 77, keys);
  std::size_t met = 0;
  for (std::size_t band = 0; band < keys.size(); ++band) {
    bool has_all = true;
    for (std::size_t f = kRows * band; f < kRows * (band + 1); ++f) {
      for (const std::uint32_t square : functions.squares_of(f)) {
        has_all = has_all && std::find(set.begin(), set.end(), grid[square]) != set.end();
      }
    }
    EXPECT_EQ(keys[band], has_all ? GridFunctions::kMet : 77U);
    met += has_all ? 1U : 0U;
  }
  EXPECT_GT(met, 0U);
  EXPECT_LT(met, keys.size());
}

// Golden values: the functions are part of the recipe.
TEST(GridTriples, AreDrawnAlikeEverywhere) {
  const Squares grid = grid_of(100);
  const GridFunctions functions(grid, 2, 3, 1);
  std::vector<std::uint32_t> named;
  for (std::size_t f = 0; f < 2; ++f) {
    const auto squares = functions.squares_of(f);
    named.insert(named.end(), squares.begin(), squares.end());
  }
  EXPECT_EQ(named, (std::vector<std::uint32_t>{96, 74, 1, 50, 33, 9}));
}

TEST(GridTriples, LawOfSharedSquaresIsThatOfDrawing) {
  const Squares grid = grid_of(12);
  constexpr std::size_t kCount = 200'000;
  const GridFunctions functions(grid, kCount, 3, 9);
  double met = 0;
  for (std::size_t f = 0; f < kCount; ++f) {
    const auto squares = functions.squares_of(f);
    met += std::all_of(squares.begin(), squares.end(), [](auto i) { return i < 7; }) ? 1 : 0;
  }
  const double p = shared_squares_collision(7, 12, 3);
  EXPECT_DOUBLE_EQ(p, 35.0 / 220);
  EXPECT_NEAR(met / kCount, p, 4 * std::sqrt(p * (1 - p) / kCount));
  EXPECT_EQ(shared_squares_collision(2, 12, 3), 0);
  EXPECT_NEAR(grid_triples_collision(0.84), 0.16 * 0.16 * 0.16, 1e-15);
  EXPECT_NEAR(grid_collision(3)(0.84), 0.16 * 0.16 * 0.16, 1e-15);
  EXPECT_NEAR(grid_collision(2)(0.96), 0.04 * 0.04, 1e-15);
}

// The fingerprints of MMDS 3.8.3, generated square by square when a function requests them. 20 % of
// a print's squares contain minutiae; another print of the same finger has minutiae in the same
// square with probability 80 %.
class Prints {
 public:
  [[nodiscard]] static bool has(std::uint64_t finger, std::uint32_t square) {
    return uniform(1, finger, square) < 0.2;
  }
  [[nodiscard]] static bool has_again(std::uint64_t finger, std::uint32_t square) {
    return uniform(2, finger, square) < (has(finger, square) ? 0.8 : 0.05);
  }

 private:
  [[nodiscard]] static double uniform(std::uint64_t seed, std::uint64_t finger,
                                      std::uint32_t square) {
    return static_cast<double>(random64(seed, finger << 20 | square) >> 11) * 0x1.0p-53;
  }
};

// T-8.3: rates measured on 10^5 pairs of prints, from the same finger and from two fingers, agree
// with the rates used to plan constructions.
TEST(GridTriples, FindFingerprintsAsOftenAsTheBookSays) {
  constexpr std::size_t kPrints = 100'000;
  constexpr std::size_t kFunctions = 2048;
  const Squares grid = grid_of(100'000);
  const GridFunctions functions(grid, kFunctions, 3, 1);
  struct Case {
    const char* text;
    double same;
    double different;
    double found_same = 0;
    double found_different = 0;
  };
  std::array cases{Case{"or:1024", .9850, .0634}, Case{"or:1024,and:2", .9703, .00402},
                   Case{"or:2048", .99978, .1228}};
  std::vector<CascadeRule> rules;
  for (const Case& one : cases) rules.emplace_back(*parse_construction(one.text));
  std::vector<std::uint32_t> print(kFunctions);
  std::vector<std::uint32_t> same(kFunctions);
  std::vector<std::uint32_t> different(kFunctions);
  const auto has_all = [&](std::size_t f, const auto& has) {
    const auto squares = functions.squares_of(f);
    return std::all_of(squares.begin(), squares.end(), has);
  };
  for (std::uint64_t finger = 0; finger < kPrints; ++finger) {
    for (std::size_t f = 0; f < kFunctions; ++f) {
      const bool met = has_all(f, [&](auto square) { return Prints::has(finger, square); });
      print[f] = met ? 0 : 1;
      same[f] = different[f] = 2;
      if (!met) continue;  // regardless of the other functions
      if (has_all(f, [&](auto square) { return Prints::has_again(finger, square); })) same[f] = 0;
      if (has_all(f, [&](auto square) { return Prints::has(finger + kPrints, square); })) {
        different[f] = 0;
      }
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases.at(i).found_same += rules[i].finds(print.data(), same.data()) ? 1 : 0;
      cases.at(i).found_different += rules[i].finds(print.data(), different.data()) ? 1 : 0;
    }
  }
  for (const Case& one : cases) {
    const Construction construction = *parse_construction(one.text);
    const auto expect_rate = [&](double found, double p, double of_book, double digit) {
      const double expected = amplify(construction, p).found;
      EXPECT_NEAR(expected, of_book, digit) << one.text;
      EXPECT_NEAR(found / kPrints, expected, 3 * std::sqrt(expected * (1 - expected) / kPrints))
          << one.text;
    };
    expect_rate(one.found_same, .004096, one.same, 1e-4);
    expect_rate(one.found_different, .000064, one.different, 1e-4);
  }
}

}  // namespace
}  // namespace sosie
