// Tests of pairs that rules make links or exclude, compared with plain loops over all pairs.
#include "corpus/items/pair_rules.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "data/columns_test.h"

namespace sosie {
namespace {

using Texts = std::vector<std::string>;

RecordTable table_of(const std::vector<Texts>& columns, std::uint32_t left) {
  RecordTable table;
  for (const Texts& texts : columns) table.columns.push_back(column_of(texts));
  const auto records = static_cast<std::uint32_t>(columns[0].size());
  table.across = left < records;
  table.left = left;
  table.right = records - left;
  return table;
}

rc::Gen<Texts> texts_gen(std::size_t count) {
  return rc::gen::container<Texts>(count, rc::gen::element<std::string>("", "a", "b", "c"));
}

bool are_equal(const Texts& texts, std::size_t a, std::size_t b) {
  return !texts[a].empty() && texts[a] == texts[b];
}
bool are_different(const Texts& texts, std::size_t a, std::size_t b) {
  return !texts[a].empty() && !texts[b].empty() && texts[a] != texts[b];
}

// always: both fields are equal. never: the third field differs.
LinkRules rules() {
  LinkRules rules;
  rules.fields.resize(3);
  rules.always = {{0, 1}};
  rules.never = {{2}};
  return rules;
}

RC_GTEST_PROP(PairRules, OfTwoCollectionsAreThoseOfAllPairs, ()) {
  constexpr std::size_t kRecords = 12;
  std::vector<Texts> columns;
  for (int i = 0; i < 3; ++i) columns.push_back(*texts_gen(kRecords));
  const std::uint32_t left = *rc::gen::inRange(1U, 11U);
  const RecordTable table = table_of(columns, left);
  const LinkRules asked = rules();
  const PairRules pair_rules(table, asked);
  std::vector<RecordPair> expected;
  for (std::uint32_t a = 0; a < left; ++a) {
    for (std::uint32_t b = left; b < kRecords; ++b) {
      const bool never = are_different(columns[2], a, b);
      RC_ASSERT(pair_rules.is_never(a, b) == never);
      const auto& classes = pair_rules.classes();
      RC_ASSERT(pair_rules.is_never_class(classes[a], classes[b]) == never);
      if (!never && are_equal(columns[0], a, b) && are_equal(columns[1], a, b)) {
        expected.push_back({a, b});
      }
    }
  }
  ThreadPool pool(2, nullptr);
  RC_ASSERT(pair_rules.always(pool) == expected);
  RC_ASSERT(pair_rules.most_always() >= expected.size());
}

// Group of each record: the first record that can be reached through pairs.
std::vector<std::uint32_t> groups_of(const std::vector<RecordPair>& pairs, std::size_t records) {
  std::vector<std::uint32_t> group(records);
  for (std::uint32_t i = 0; i < records; ++i) group[i] = i;
  for (std::size_t round = 0; round < records; ++round) {
    for (const RecordPair& pair : pairs) {
      const std::uint32_t least = std::min(group[pair.left], group[pair.right]);
      group[pair.left] = group[pair.right] = least;
    }
  }
  return group;
}

RC_GTEST_PROP(PairRules, OfOneCollectionChainWhatBelongsTogether, ()) {
  constexpr std::uint32_t kRecords = 12;
  std::vector<Texts> columns;
  for (int i = 0; i < 3; ++i) columns.push_back(*texts_gen(kRecords));
  const RecordTable table = table_of(columns, kRecords);
  LinkRules asked = rules();
  asked.never.clear();
  const PairRules pair_rules(table, asked);
  std::vector<RecordPair> all;
  for (std::uint32_t a = 0; a < kRecords; ++a) {
    for (std::uint32_t b = a + 1; b < kRecords; ++b) {
      if (are_equal(columns[0], a, b) && are_equal(columns[1], a, b)) all.push_back({a, b});
    }
  }
  ThreadPool pool(1, nullptr);
  const std::vector<RecordPair> some = pair_rules.always(pool);
  for (const RecordPair& pair : some) {
    RC_ASSERT(std::find(all.begin(), all.end(), pair) != all.end());
  }
  RC_ASSERT(groups_of(some, kRecords) == groups_of(all, kRecords));
}

TEST(PairRules, ListsAndSwappedColumnsAgreeByOneOfTheirValues) {
  RecordTable table = table_of({{"a;b", "b;c", "c;d"}}, 3);
  RecordColumn& column = table.columns[0];
  column.members = {4, 5, 5, 6, 6, 7};  // a b, b c, c d
  column.member_starts = {0, 0, 2, 4, 6};
  LinkRules asked;
  asked.fields.resize(1);
  asked.never = {{0}};
  EXPECT_FALSE(PairRules(table, asked).is_never(0, 1));
  EXPECT_TRUE(PairRules(table, asked).is_never(0, 2));
  column.member_starts.clear();
  column.members.clear();
  EXPECT_TRUE(PairRules(table, asked).is_never(0, 1));
  column.swapped = {2, 9, 9};
  EXPECT_FALSE(PairRules(table, asked).is_never(0, 1));
}

// A person's judgements override rules, which still apply to all other pairs.
TEST(PairRules, JudgementsWinOverRules) {
  const RecordTable table =
      table_of({{"a", "a", "a", "b"}, {"a", "a", "a", "b"}, {"", "", "", ""}}, 4);
  const LinkRules asked = rules();
  PairRules pair_rules(table, asked);
  pair_rules.know({{{{0, 1}, false}, {{2, 3}, true}}, {}});
  EXPECT_TRUE(pair_rules.is_never(0, 1));
  EXPECT_FALSE(pair_rules.is_always(0, 1));
  EXPECT_TRUE(pair_rules.is_always(2, 3));
  EXPECT_TRUE(pair_rules.is_always(0, 2));
  const auto& classes = pair_rules.classes();
  EXPECT_TRUE(pair_rules.is_never_class(classes[0], classes[1]));
  EXPECT_FALSE(pair_rules.is_never_class(classes[0], classes[2]));
  const std::vector<RecordPair> always = pair_rules.always(ThreadPool(1, nullptr));
  EXPECT_TRUE(std::binary_search(always.begin(), always.end(), RecordPair{2, 3}));
  EXPECT_FALSE(std::binary_search(always.begin(), always.end(), RecordPair{0, 1}));
}

TEST(PairRules, GroupsOfAPersonHoldTogetherAndApart) {
  const RecordTable table = table_of({{"a", "b", "c", "d", "e"}}, 5);
  LinkRules none;
  none.fields.resize(1);
  PairRules pair_rules(table, none);
  EXPECT_FALSE(pair_rules.has_never());
  pair_rules.know({{}, {1, 1, 2, 0, 2}});
  EXPECT_TRUE(pair_rules.is_always(0, 1));
  EXPECT_TRUE(pair_rules.is_never(1, 4));
  EXPECT_FALSE(pair_rules.is_never(3, 4));
  EXPECT_EQ(pair_rules.always(ThreadPool(1, nullptr)), (std::vector<RecordPair>{{0, 1}, {2, 4}}));
  const auto& classes = pair_rules.classes();
  EXPECT_EQ(classes[0], classes[1]);
  EXPECT_TRUE(pair_rules.is_never_class(classes[0], classes[2]));
  EXPECT_FALSE(pair_rules.is_never_class(classes[3], classes[2]));
}

}  // namespace
}  // namespace sosie
