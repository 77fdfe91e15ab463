// Tests of the size, time and memory of an index, compared with figures by hand and as it grows.
#include "plan/index_costs.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{12} << 30;

// The texts in bench/index.py: 19 shingles, 128 components and 20 bands.
PlannedIndex texts() {
  PlannedIndex planned;
  planned.keys = 20;
  planned.filter_bytes = 128;
  planned.element_bytes = 8.0 * 19;
  planned.make_ns = 1500;
  return planned;
}

TEST(IndexCosts, GrowWithTheItems) {
  IndexCosts before;
  for (const double items : {1.0, 1e3, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
    const IndexCosts costs = index_costs(texts(), items, kMemory);
    const bool grows = costs.bytes > before.bytes && costs.open_bytes > before.open_bytes &&
                       costs.build_cpu_seconds > before.build_cpu_seconds &&
                       costs.look_up_cpu_seconds >= before.look_up_cpu_seconds;
    EXPECT_TRUE(grows) << items;
    before = costs;
  }
}

// 32 bits of a key: the gaps take 32 - log2(items) + 2 or so, the item's number log2(items).
TEST(IndexCosts, AKeyTakesAsManyBytesHoweverManyThereAre) {
  for (const double items : {1e5, 1e6, 1e7, 1e8, 1e9}) {
    const double bytes = index_costs(texts(), items, kMemory).key_bytes;
    EXPECT_GT(bytes, 20 * 4.1 + 5) << items;
    EXPECT_LT(bytes, 20 * 4.5 + 6) << items;
  }
}

TEST(IndexCosts, LookUpsWithoutKeysReadEveryItem) {
  PlannedIndex planned = texts();
  planned.keys = 0;
  const IndexCosts costs = index_costs(planned, 1e6, kMemory);
  EXPECT_EQ(costs.candidates, 1e6);
  EXPECT_LT(costs.key_bytes, 6);  // that of its name
}

TEST(IndexCosts, ItemsThatAreHeldGrowTheMemoryOfTheBuild) {
  PlannedIndex held = texts();
  held.held_bytes = 100;
  EXPECT_GT(index_costs(held, 1e9, kMemory).build_peak_bytes, 1e11);
  EXPECT_LT(index_costs(texts(), 1e9, kMemory).build_peak_bytes, 1e9);
}

TEST(IndexCosts, IdsAreStoredUnlessItemsAreNumbered) {
  PlannedIndex numbered = texts();
  numbered.id_bytes = 0;
  EXPECT_NEAR(index_costs(texts(), 1e6, kMemory).item_bytes -
                  index_costs(numbered, 1e6, kMemory).item_bytes,
              9, 0.1);
}

TEST(IndexCosts, CandidatesGrowWithTheItemsAndCostTime) {
  PlannedIndex planned = texts();
  const double none = index_costs(planned, 1e7, kMemory).look_up_cpu_seconds;
  planned.candidate_part = 4.5e-6;
  const IndexCosts costs = index_costs(planned, 1e7, kMemory);
  EXPECT_NEAR(costs.candidates, 45, 1e-6);
  EXPECT_GT(costs.look_up_cpu_seconds, 3 * none);
}

TEST(IndexCosts, KeysTakeAQuarterOfTheMemoryAtMost) {
  const IndexCosts much = index_costs(texts(), 1e7, kMemory);
  const IndexCosts little = index_costs(texts(), 1e7, std::uint64_t{256} << 20);
  EXPECT_GT(much.build_peak_bytes, little.build_peak_bytes + 200e6);
  EXPECT_LT(little.build_peak_bytes, 256.0 * (1 << 20));
  EXPECT_LT(much.build_peak_bytes, 1e9);
}

TEST(IndexCosts, MoreItemsThanAnIndexHoldsAreSeveral) {
  EXPECT_EQ(index_costs(texts(), 4294967295.0, kMemory).indexes, 1);
  const IndexCosts costs = index_costs(texts(), 1e10, kMemory);
  EXPECT_EQ(costs.indexes, 3);
  EXPECT_NEAR(costs.bytes, 3 * index_costs(texts(), 1e10 / 3, kMemory).bytes, 1e6);
}

}  // namespace
}  // namespace sosie
