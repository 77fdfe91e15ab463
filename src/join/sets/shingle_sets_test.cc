// Tests of the cache of shingle sets: with any budget, it returns the sets of the rows.
#include "corpus/rows/shingle_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/mix64.h"
#include "join/sets/set_run_test.h"

namespace sosie {
namespace {

constexpr std::size_t kSetRows = 300;

std::string numbered_texts() {
  std::string rows;
  for (std::size_t row = 0; row < kSetRows; ++row) {
    const std::size_t words = row == 7 ? 20'000 : 1 + row % 90;
    for (std::size_t word = 0; word < words; ++word) {
      rows += std::to_string(1000 * row + word) + ' ';
    }
    rows += '\n';
  }
  return rows;
}

TEST(ShingleSets, AreTheSameWithinAnyBudget) {
  TestSetRun test(kPairs, {{"in.txt", numbered_texts()}}, {}, {{"method", "lsh"}});
  test.run->prepare();
  const auto& run = *test.run;
  ASSERT_EQ(run.items.size(), kSetRows);
  ShingleSets whole(run.inputs, run.corpus, run.items, run.settings.shingle, std::size_t{64} << 20);
  std::vector<ShingleSet> expected;
  for (Place item = 0; item < kSetRows; ++item) expected.push_back(whole.get(item));
  EXPECT_EQ(expected[7].size(), 20'000);
  for (const std::size_t budget : {0U, 64U, 2000U, 10'000U, 100'000U, 400'000U}) {
    ShingleSets sets(run.inputs, run.corpus, run.items, run.settings.shingle, budget);
    ShingleSet leader = sets.get(11);
    for (std::uint64_t i = 0; i < 4000; ++i) {
      // Some sets are requested again and again, with others in between.
      const auto item = static_cast<Place>(random64(1, i) % (i % 3 == 0 ? kSetRows : 20));
      const ShingleSet set = sets.get(item);
      ASSERT_TRUE(std::ranges::equal(set.hashes(), expected[item].hashes())) << budget << ' ' << i;
      ASSERT_TRUE(std::ranges::equal(leader.hashes(), expected[11].hashes())) << budget;
      if (i % 500 == 499) sets.forget();
    }
  }
}

}  // namespace
}  // namespace sosie
