// Tests of the squares that points lie in.
#include "read/append_squares.h"

#include <gtest/gtest.h>

#include "data/format.h"

namespace sosie {
namespace {

std::string squares(const Grid& grid, std::string_view point) {
  std::string lines;
  append_squares(grid, point, lines);
  return lines;
}

TEST(GridPoints, LieInOneSquare) {
  const Grid grid{.cell = 10};
  EXPECT_EQ(squares(grid, "0,0"), "0,0\n");
  EXPECT_EQ(squares(grid, "[9.99, 10]"), "0,1\n");
  EXPECT_EQ(squares(grid, "-0.5,25,90"), "-1,2\n");
}

TEST(GridPoints, NearABorderLieInTheSquaresOnBothSides) {
  const Grid grid{.cell = 10, .border = 2};
  EXPECT_EQ(squares(grid, "5,5"), "0,0\n");
  EXPECT_EQ(squares(grid, "12,15"), "0,1\n1,1\n");
  EXPECT_EQ(squares(grid, "12.5,18"), "1,1\n1,2\n");
  EXPECT_EQ(squares(grid, "19,11"), "1,0\n1,1\n2,0\n2,1\n");
  EXPECT_EQ(squares({.cell = 10, .border = 5}, "5,2"), "-1,-1\n-1,0\n0,-1\n0,0\n1,-1\n1,0\n");
}

TEST(GridPoints, ABoundedGridHasNoSquareBehindItsEdge) {
  const Grid grid{.cell = 10, .border = 2, .width = 25, .height = 20};
  EXPECT_EQ(count_squares(grid), 6);
  EXPECT_EQ(squares(grid, "0,19"), "0,1\n");
  EXPECT_EQ(squares(grid, "24.9,1"), "2,0\n");
  EXPECT_EQ(all_squares(grid), "0,0\n0,1\n1,0\n1,1\n2,0\n2,1\n");
  for (const char* outside : {"25,0", "0,20", "-0.1,0", "1e300,0"}) {
    EXPECT_THROW((void)squares(grid, outside), RowError) << outside;
  }
}

TEST(GridPoints, DirectionsAreSectorsOfATurn) {
  const Grid grid{.cell = 10, .directions = 4};
  EXPECT_EQ(squares(grid, "1,1,0"), "0,0,0\n");
  EXPECT_EQ(squares(grid, "1,1,89.9"), "0,0,0\n");
  EXPECT_EQ(squares(grid, "1,1,-1"), "0,0,3\n");
  EXPECT_EQ(squares(grid, "1,1,450"), "0,0,1\n");
  EXPECT_EQ(squares(grid, "1,1,-1e-30"), "0,0,3\n");
  EXPECT_THROW((void)squares(grid, "1,1"), RowError);
  EXPECT_EQ(count_squares({.cell = 5, .width = 10, .height = 10, .directions = 4}), 16);
}

TEST(GridPoints, AreTwoOrThreeNumbers) {
  for (const char* text : {"", "1", "1,2,3,4", "a,b", "1,", "nan,1", "inf,1", "1,2 x"}) {
    EXPECT_THROW((void)squares({.cell = 1}, text), RowError) << text;
  }
}

}  // namespace
}  // namespace sosie
