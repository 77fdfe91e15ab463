// Tests of option values that are equivalent but written differently.
#include "options/equal_values.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(EqualValues, AreNumbersWhereTheOptionHoldsThem) {
  EXPECT_TRUE(equal_values_of("recall", "0.99", ".990"));
  EXPECT_TRUE(equal_values_of("shingle", "words:5", "words:05"));
  EXPECT_TRUE(equal_values_of("measure", "tversky:1,.5", "tversky:1.0,0.50"));
  EXPECT_TRUE(equal_values_of("bands", "14x8", "014x08"));
  EXPECT_TRUE(equal_values_of("encoding", "utf-8", "UTF8"));
  EXPECT_FALSE(equal_values_of("column", "1", "1.0"));
  EXPECT_FALSE(equal_values_of("shingle", "words:5", "chars:5"));
  EXPECT_FALSE(equal_values_of("measure", "tversky:1,2", "tversky:1"));
  EXPECT_FALSE(equal_values_of("encoding", "utf-8", "auto"));
}

TEST(EqualValues, TakeTheDefaultForNone) {
  EXPECT_TRUE(equal_values_of("clean", "", "none"));
  EXPECT_TRUE(equal_values_of("encoding", "utf8", ""));
  EXPECT_FALSE(equal_values_of("clean", "", "fold"));
  EXPECT_FALSE(equal_values_of("column of x", "", "text"));
}

TEST(EqualValues, LendTheirSpellingOnlyWhereAllSayTheSame) {
  const NamedValues written{{"recall", ".99"}, {"seed", "2"}};
  NamedValues values{{"seed", "02"}, {"clean", "none"}};
  take_spelling(written, values);
  EXPECT_EQ(values, written);
  NamedValues others{{"seed", "3"}};
  take_spelling(written, others);
  EXPECT_EQ(others, (NamedValues{{"seed", "3"}}));
  take_value(written, "recall", others);
  EXPECT_EQ(others, (NamedValues{{"seed", "3"}, {"recall", ".99"}}));
}

}  // namespace
}  // namespace sosie
