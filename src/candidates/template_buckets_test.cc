#include "candidates/template_buckets.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

Buckets buckets_of(const std::vector<std::vector<Place>>& lists) {
  Buckets buckets;
  for (const std::vector<Place>& list : lists) {
    buckets.members.insert(buckets.members.end(), list.begin(), list.end());
    buckets.starts.push_back(buckets.members.size());
  }
  return buckets;
}

TEST(TemplateBuckets, AreThoseOfMoreItemsThanAllowed) {
  const TemplateBuckets none = find_templates(buckets_of({{0, 1, 2}, {3, 4}}), 5, 3);
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.of_item.empty());
  const TemplateBuckets one = find_templates(buckets_of({{3, 4}, {0, 1, 2}}), 5, 2);
  EXPECT_EQ(one.largest, std::vector<std::uint32_t>{1});
  EXPECT_EQ(one.of_item, (std::vector<std::uint8_t>{1, 1, 1, 0, 0}));
}

TEST(TemplateBuckets, BucketsOfOneTemplateAreTakenTogether) {
  const Buckets buckets =
      buckets_of({{0, 1, 2}, {0, 1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 3, 9}, {5, 6}});
  const TemplateBuckets found = find_templates(buckets, 11, 2);
  EXPECT_EQ(found.largest, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(found.of_item, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 2, 2, 2, 2, 1, 0}));
}

TEST(TemplateBuckets, OnlySoManyAreToldApart) {
  std::vector<std::vector<Place>> lists;
  for (Place i = 0; i < 40; ++i) lists.push_back({2 * i, 2 * i + 1});
  const TemplateBuckets found = find_templates(buckets_of(lists), 80, 1);
  EXPECT_EQ(found.largest.size(), kMostTemplates);
  EXPECT_EQ(found.of_item[2 * kMostTemplates - 1], kMostTemplates);
  EXPECT_EQ(found.of_item[2 * kMostTemplates], 0);
}

}  // namespace
}  // namespace sosie
