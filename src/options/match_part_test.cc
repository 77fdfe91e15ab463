// Tests parsing the value of --part.
#include "options/match_part.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(MatchPart, IsANumberOfACount) {
  const auto part = parse_part("3/8");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->index, 2U);
  EXPECT_EQ(part->count, 8U);
  EXPECT_EQ(part_text(*part), "3/8");
  EXPECT_TRUE(parse_part("1/1"));
  EXPECT_TRUE(parse_part("4096/4096"));
}

TEST(MatchPart, IsNothingElse) {
  for (const char* text : {"", "x", "3", "/8", "3/", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "1.5/8",
                           "1/4097", "4294967297/4294967297", " 1/8", "+1/8"}) {
    EXPECT_FALSE(parse_part(text)) << text;
  }
}

}  // namespace
}  // namespace sosie
