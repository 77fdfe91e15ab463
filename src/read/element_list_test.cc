#include "read/element_list.h"

#include <gtest/gtest.h>

#include "data/format.h"

namespace sosie {
namespace {

std::string reason_of(ElementList& list, std::string_view json) {
  try {
    (void)list.from_json(json, "items");
  } catch (const RowError& error) {
    return error.what();
  }
  return {};
}

TEST(ElementList, CutsAtBlanksOnly) {
  ElementList list({});
  EXPECT_EQ(list.from_words("b  a\tc,d "), "b\na\nc,d\n");
  EXPECT_EQ(list.from_words(" \t"), "");
  EXPECT_EQ(list.from_words("a\\n \xff"), "a\\\\n\n\xff\n");
}

TEST(ElementList, SaysThatANumberIsTooLarge) {
  ElementList list({});
  for (const char* json : {"[1,1e400]", R"({"a":1e400})", "[18446744073709551616,-1e999]"}) {
    EXPECT_EQ(reason_of(list, json), "field 'items' holds a number that is too large") << json;
  }
  EXPECT_EQ(reason_of(list, "[1e400"), "field 'items' is broken JSON");
}

TEST(ElementList, WritesTheSameElementAlikeFromEveryForm) {
  ElementList list({});
  EXPECT_EQ(list.from_json(R"(["a b","x\ny",5,"5",""])", "items"), "a b\nx\\ny\n5\n5\n\n");
  EXPECT_EQ(list.from_json(R"({"a":2,"b":0,"c":1.0})", "items"), "a\na\nc\n");
  EXPECT_EQ(list.from_json("[]", "items"), "");
}

TEST(ElementList, MakesElementsOfRatings) {
  const std::string_view ratings = R"({"x":5,"y":2.5,"z":1})";
  ElementList drop({.ratings = {Ratings::Rule::drop, 2.5}});
  EXPECT_EQ(drop.from_json(ratings, "items"), "x\ny\n");
  ElementList liked({.ratings = {Ratings::Rule::liked_hated, 3}});
  EXPECT_EQ(liked.from_json(ratings, "items"), "+x\n-y\n-z\n");
  ElementList bag({.ratings = {Ratings::Rule::bag}});
  EXPECT_EQ(bag.from_json(R"({"x":2})", "items"), "x\nx\n");
}

TEST(ElementList, SaysWhatIsNoSet) {
  ElementList list({});
  EXPECT_EQ(reason_of(list, R"(["a",1.5])"),
            "field 'items' holds 1.5; an element is a string or a whole number");
  EXPECT_EQ(reason_of(list, R"({"a":-1})"),
            "field 'items': -1 for 'a' is not a whole number from 0 to 1000000");
  EXPECT_EQ(reason_of(list, R"({"a":2000000})"),
            "field 'items': 2000000 for 'a' is not a whole number from 0 to 1000000");
  EXPECT_EQ(reason_of(list, R"({"a":0.5})"),
            "field 'items': 0.5 for 'a' is not a whole number from 0 to 1000000");
  ElementList rated({.ratings = {Ratings::Rule::drop, 3}});
  EXPECT_EQ(reason_of(rated, R"({"a":-1})"), "field 'items': -1 for 'a' is not a rating");
  EXPECT_EQ(reason_of(rated, R"(["a"])"),
            "field 'items' is a list; --ratings needs an object of ratings");
}

TEST(ElementList, CountedOccurrencesOfARowAreBounded) {
  ElementList list({});
  const std::string fifteen(15, 'x');
  std::string object = "{";
  for (const char c : {'a', 'b', 'c', 'd'}) object += '"' + fifteen + c + "\":900000,";
  EXPECT_EQ(reason_of(list, object + R"("the last":1000000})"),
            "field 'items': with 1000000 for 'the last', the row's occurrences take more than "
            "64 MiB");
  EXPECT_EQ(list.from_json(object + R"("the last":1})", "items").size(), 4 * 900'000 * 17 + 9);
  const std::string long_element(100, 'x');
  EXPECT_EQ(reason_of(list, '{' + ('"' + long_element + R"(":1000000})")),
            "field 'items': with 1000000 for '" + long_element +
                "', the row's occurrences take more than 64 MiB");
}

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
