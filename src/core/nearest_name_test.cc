#include "core/nearest_name.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sosie {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"text", "title", "id", "threshold"};

TEST(EditDistance, CountsEditsUpToTheLimit) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 2), 2U);
  EXPECT_EQ(edit_distance("", "abc", 9), 3U);
  EXPECT_EQ(edit_distance("abc", "abc", 9), 0U);
  EXPECT_EQ(edit_distance("abc", "abc", 0), 0U);
}

TEST(NearestName, ForgivesSlips) {
  EXPECT_EQ(nearest_name("txt", kNames), "text");
  EXPECT_EQ(nearest_name("Text", kNames), "text");
  EXPECT_EQ(nearest_name("treshold", kNames), "threshold");
  EXPECT_EQ(nearest_name("text", kNames), "text");
}

TEST(NearestName, ForgivesSwappedLettersAndOtherCase) {
  EXPECT_EQ(nearest_name("tetx", kNames), "text");
  EXPECT_EQ(nearest_name("ID", kNames), "id");
  EXPECT_EQ(nearest_name("TITLE", kNames), "title");
}

TEST(NearestName, DoesNotTakeAShortNameForAnyOther) {
  EXPECT_EQ(nearest_name("v", kNames), "");
  EXPECT_EQ(nearest_name("xy", kNames), "");
  EXPECT_EQ(nearest_name("size", kNames), "");
}

TEST(NearestName, CompletesABeginning) { EXPECT_EQ(nearest_name("thr", kNames), "threshold"); }

TEST(NearestName, SaysNothingOfWhatIsFar) {
  EXPECT_EQ(nearest_name("headline", kNames), "");
  EXPECT_EQ(nearest_name("text", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000, 't'), kNames), "");
}

}  // namespace
}  // namespace sosie
