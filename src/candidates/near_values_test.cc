// Tests finding records with similar values, compared with a search of all pairs of records.
#include "candidates/near_values.h"

#include <gtest/gtest.h>

#include <set>

namespace sosie {
namespace {

using RecordPairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

RecordPairs pairs_of(const NearValues& values, std::uint32_t records) {
  RecordPairs pairs;
  std::vector<std::uint32_t> partners;
  for (std::uint32_t record = 0; record < records; ++record) {
    partners.clear();
    values.append(record, partners);
    for (const std::uint32_t partner : partners) {
      EXPECT_TRUE(pairs.emplace(record, partner).second);
    }
  }
  return pairs;
}

TEST(NearValues, StandForAllPairsOfTheirRecords) {
  // Value a has records 0 and 3, b has 1 and 4, c has 2; record 5 has no value.
  const std::vector<KeyPair> near = {{1, 1}, {2, 2}, {3, 3}, {1, 2}};
  const NearValues values({1, 2, 3, 1, 2, 0}, 0, 100, near);
  EXPECT_EQ(pairs_of(values, 6), (RecordPairs{{0, 1}, {0, 3}, {0, 4}, {1, 3}, {1, 4}, {3, 4}}));
  EXPECT_EQ(values.pairs(), 6U);
  EXPECT_EQ(values.largest(), 4U);
}

TEST(NearValues, OfTwoCollectionsArePairsBetweenThem) {
  // Left records 0 to 2 have the values 1 and 2, right records 3 to 5 the values 3 and 4.
  const std::vector<KeyPair> near = {{1, 3}, {2, 4}};
  const NearValues values({1, 2, 1, 3, 4, 3}, 3, 100, near);
  EXPECT_EQ(pairs_of(values, 3), (RecordPairs{{0, 3}, {0, 5}, {2, 3}, {2, 5}, {1, 4}}));
  EXPECT_EQ(values.pairs(), 5U);
}

TEST(NearValues, HandOverWhatIsLarge) {
  const std::vector<KeyPair> near = {{1, 1}, {2, 2}, {1, 2}};
  const NearValues values({2, 1, 1, 1, 2}, 0, 3, near);
  EXPECT_EQ(pairs_of(values, 5), (RecordPairs{{0, 4}, {1, 2}, {1, 3}, {2, 3}}));
  std::uint64_t seen = 0;
  values.for_each_large([&](const NearValues::Large& large) {
    ++seen;
    EXPECT_EQ(large.key, 1U);
    EXPECT_EQ(large.others, std::vector<std::uint32_t>{2});
    EXPECT_EQ(large.records, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(large.pairs, 6U);
  });
  EXPECT_EQ(seen, 1U);
}

}  // namespace
}  // namespace sosie
