#include "core/count_text.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(NumberText, GroupsDigitsByThree) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(1234567), "1,234,567");
}

TEST(NumberText, NamesBytesByPowersOfAThousand) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.0 kB");
  EXPECT_EQ(bytes_text(999'949), "999.9 kB");
  EXPECT_EQ(bytes_text(999'950), "1.0 MB");
  EXPECT_EQ(bytes_text(37'504'003), "37.5 MB");
}

TEST(NumberText, CountsOneAndMany) {
  EXPECT_EQ(plural_text(1, "row", "rows"), "1 row");
  EXPECT_EQ(plural_text(0, "row", "rows"), "0 rows");
  EXPECT_EQ(plural_text(2000, "row", "rows"), "2,000 rows");
}

}  // namespace
}  // namespace sosie
