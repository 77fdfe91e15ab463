#include "join/nearest_rows.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

std::vector<std::uint32_t> rights_of(const NearestRows& nearest) {
  std::vector<std::uint32_t> rights;
  for (const ScoredPair& pair : nearest.pairs()) rights.push_back(pair.right);
  std::sort(rights.begin(), rights.end());
  return rights;
}

TEST(NearestRows, KeepsTheNearestAndOfEqualOnesTheFirst) {
  NearestRows distances(3, false);
  NearestRows similarities(3, true);
  const double values[] = {5, 2, 2, 9, 2, 1, 9};
  for (std::uint32_t right = 0; right < 7; ++right) {
    distances.add({0, right, values[right]});
    similarities.add({0, right, values[right]});
  }
  EXPECT_EQ(rights_of(distances), (std::vector<std::uint32_t>{1, 2, 5}));
  EXPECT_EQ(distances.farthest(), 2);
  EXPECT_EQ(rights_of(similarities), (std::vector<std::uint32_t>{0, 3, 6}));
  EXPECT_EQ(similarities.farthest(), 5);
}

TEST(NearestRows, SaysWhetherAPairIsKept) {
  NearestRows nearest(1, false);
  EXPECT_FALSE(nearest.is_full());
  EXPECT_TRUE(nearest.add({0, 4, 3}));
  EXPECT_TRUE(nearest.is_full());
  EXPECT_FALSE(nearest.add({0, 5, 3}));
  EXPECT_TRUE(nearest.add({0, 3, 3}));
  EXPECT_FALSE(nearest.add({0, 1, 4}));
  EXPECT_EQ(rights_of(nearest), std::vector<std::uint32_t>{3});
}

}  // namespace
}  // namespace sosie
