// Tests of names for new groups, which no other group has, and of their form in JSON.
#include "decide/group_names.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sosie {
namespace {

ItemIds named_ids(std::vector<std::string> names, std::vector<bool> are_integers) {
  ItemIds ids;
  ids.names = std::move(names);
  ids.are_integers = std::move(are_integers);
  return ids;
}

RecordColumn clusters_called(const std::vector<std::string>& names) {
  RecordColumn column;
  for (const std::string& name : names) {
    column.bytes += name;
    column.starts.push_back(column.bytes.size());
  }
  return column;
}

TEST(GroupNames, OfNewGroupsAreThoseOfNoOther) {
  const ItemIds older = named_ids({"r1"}, {false});
  const RecordColumn clusters = clusters_called({"r0"});
  const ItemIds fresh = named_ids({"r0", "r0-2", "r0-3"}, {false, false, false});
  GroupNames names(older, clusters, fresh, 1);
  EXPECT_EQ(names.of_new(0).text, "r0-4");
  EXPECT_EQ(names.of_new(1).text, "r0-2");
  EXPECT_EQ(names.of_new(2).text, "r0-3");
}

TEST(GroupNames, OfNewGroupsAreTakenOnceGiven) {
  const ItemIds older = named_ids({"x"}, {false});
  const RecordColumn clusters = clusters_called({"7", "7-2"});
  const ItemIds fresh;
  GroupNames names(older, clusters, fresh, 7);
  EXPECT_EQ(names.of_new(0).text, "7-3");
  EXPECT_EQ(names.of_new(1).text, "8");
}

TEST(GroupNames, AreIntegersAsTheRecordsTheyAreCalledBy) {
  const ItemIds older = named_ids({"1", "2", "x"}, {true, false, false});
  const RecordColumn clusters = clusters_called({"1", "2", "x", "5", "05"});
  const ItemIds fresh = named_ids({"007", "8", "5", "-1"}, {false, true, true, true});
  GroupNames names(older, clusters, fresh, 0);
  EXPECT_TRUE(names.of_older("1").is_integer);
  EXPECT_FALSE(names.of_older("2").is_integer);
  EXPECT_FALSE(names.of_older("x").is_integer);
  EXPECT_TRUE(names.of_older("5").is_integer);  // its record was removed
  EXPECT_FALSE(names.of_older("05").is_integer);
  EXPECT_FALSE(names.of_new(0).is_integer);
  EXPECT_TRUE(names.of_new(1).is_integer);
  EXPECT_FALSE(names.of_new(2).is_integer);  // 5-2
  EXPECT_TRUE(names.of_new(3).is_integer);
}

}  // namespace
}  // namespace sosie
