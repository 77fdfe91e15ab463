#include "candidates/key_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <vector>

namespace sosie {
namespace {

std::vector<Place> found(const KeyTable& table, std::uint64_t key) {
  std::vector<Place> items;
  table.for_each(key, [&](Place item) { items.push_back(item); });
  return items;
}

RC_GTEST_PROP(KeyTable, FindsWhatWasAddedTheLatestFirst, ()) {
  KeyTable table;
  std::map<std::uint64_t, std::vector<Place>> expected;
  const auto items = *rc::gen::inRange<Place>(0, 3000);
  for (Place item = 0; item < items; ++item) {
    const auto key = *rc::gen::inRange<std::uint64_t>(0, 200);
    table.add(key, item);
    expected[key].insert(expected[key].begin(), item);
  }
  for (std::uint64_t key = 0; key < 200; ++key) RC_ASSERT(found(table, key) == expected[key]);
}

TEST(KeyTable, RenumbersAndForgets) {
  KeyTable table;
  for (Place item = 0; item < 5000; ++item) table.add(item % 7, item);
  std::vector<Place> new_number(5000, kNoPlace);
  for (Place item = 0; item < 5000; item += 5) new_number[item] = item / 5;
  table.renumber(new_number);
  std::vector<Place> expected;
  for (Place item = 0; item < 5000; ++item) {
    if (item % 5 == 0 && item % 7 == 3) expected.insert(expected.begin(), item / 5);
  }
  EXPECT_EQ(found(table, 3), expected);
  table.renumber(std::vector<Place>(5000, kNoPlace));
  EXPECT_TRUE(found(table, 3).empty());
  table.add(3, 9);
  EXPECT_EQ(found(table, 3), std::vector<Place>{9});
}

TEST(KeyTable, IsEmptyAtFirst) { EXPECT_TRUE(found(KeyTable(), 1).empty()); }

}  // namespace
}  // namespace sosie
