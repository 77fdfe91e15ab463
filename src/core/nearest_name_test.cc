#include "core/nearest_name.h"

#include <gtest/gtest.h>

#include <array>

namespace sosie {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"text", "title", "id", "threshold"};

TEST(NearestName, ForgivesSlips) {
  EXPECT_EQ(nearest_name("txt", kNames), "text");
  EXPECT_EQ(nearest_name("Text", kNames), "text");
  EXPECT_EQ(nearest_name("treshold", kNames), "threshold");
  EXPECT_EQ(nearest_name("text", kNames), "text");
}

TEST(NearestName, CompletesABeginning) { EXPECT_EQ(nearest_name("thr", kNames), "threshold"); }

TEST(NearestName, SaysNothingOfWhatIsFar) {
  EXPECT_EQ(nearest_name("headline", kNames), "");
  EXPECT_EQ(nearest_name("text", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000, 't'), kNames), "");
}

}  // namespace
}  // namespace sosie
