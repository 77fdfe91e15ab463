#include "core/mix64.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

TEST(Hash64, GoldenValuesOfTheRecipe) {
  EXPECT_EQ(kRecipeVersion, 1);
  EXPECT_EQ(mix64(1), 0x5692161D100B05E5ULL);
  EXPECT_EQ(random64(1, 0), 0x910A2DEC89025CC1ULL);
}

}  // namespace
}  // namespace sosie
