// The hashed join of bit strings, compared with what the keys of each string say.
#include "join/bit_lsh.h"

#include <gtest/gtest.h>

#include "corpus/known_items.h"
#include "join/bits_test.h"
#include "join/hashed_rows_test.h"

namespace sosie {
namespace {

constexpr RowId kRows = 400;

BitSettings settings_within(const Rational& bound) {
  BitSettings settings;
  settings.made_measure = std::make_shared<BitMeasure>(*bit_measure("hamming"));
  settings.measure = settings.made_measure.get();
  settings.bound = {{"hamming", "", false}, bound};
  settings.run.memory_bytes = std::uint64_t{1} << 26;
  settings.run.seed = 3;
  return settings;
}

TEST(BitLsh, FindsThePairsThatShareAKeyAndReachTheBound) {
  for (const std::size_t bits : {20U, 64U, 150U}) {
    const BitColumn column = random_bits(bits, kRows, bits);
    const BitSettings settings = settings_within({11, 2});
    LshPlan plan;
    plan.bands = 5;
    plan.rows = 12;
    ThreadPool pool(2, nullptr);
    Scratch scratch("/tmp");
    BitLsh lsh(column, settings, pool, plan);
    lsh.hash(scratch, 0);
    std::size_t all = 0;
    for_some_lists(kRows, [&](std::span<const RowId> rows, std::size_t split) {
      const ValuedPairs expected = pairs_by_hashes(lsh, rows, split, 5);
      EXPECT_EQ(joined_by(lsh, rows, split), expected) << bits << " " << split;
      all += expected.size();
    });
    EXPECT_GT(all, 300U);
    EXPECT_LT(all, 3 * pairs_within(column, {{0, kRows}}, *settings.measure, {11, 2}).size())
        << "some pairs are missed";
  }
}

// Bands that do not fit are hashed when their turn comes.
TEST(BitLsh, FindsTheSamePairsInAnyMemory) {
  const BitColumn column = random_bits(9, 20'000, 256);
  LshPlan plan;
  plan.bands = 30;
  plan.rows = 20;
  BitSettings settings = settings_within({6, 1});
  ThreadPool pool(2, nullptr);
  Scratch scratch("/tmp");
  std::vector<RowId> rows(2000);
  for (RowId i = 0; i < rows.size(); ++i) rows[i] = 7 * i;
  std::vector<ValuedPairs> pairs;
  std::vector<HashedRow> of_one;
  for (const std::uint64_t megabytes : {64U, 5U}) {
    settings.run.memory_bytes = megabytes << 20;
    const auto memory = room_for_bands(needs_of_bands(column, plan, settings, pool, 0));
    ASSERT_EQ(memory.bands_kept < 30, megabytes == 5);
    BitLsh lsh(column, settings, pool, plan);
    lsh.hash(scratch, 0);
    pairs.push_back(joined_by(lsh, rows, 0));
    of_one.push_back(lsh.hashed(14));
  }
  EXPECT_GT(pairs[0].size(), 100U);
  EXPECT_EQ(pairs[1], pairs[0]);
  for (std::size_t band = 0; band < 30; ++band) {
    EXPECT_EQ(of_one[1].bands[band].key, of_one[0].bands[band].key);
    EXPECT_EQ(of_one[1].bands[band].rows, of_one[0].bands[band].rows);
  }
}

TEST(BitLsh, HashesForFilesAreThoseOfTheRows) {
  const BitColumn column = random_bits(2, 50, 70);
  const BitSettings settings = settings_within({4, 1});
  LshPlan plan;
  plan.bands = 6;
  plan.rows = 3;
  ThreadPool pool(1, nullptr);
  const HashedItems items = BitLsh(column, settings, pool, plan).hashes();
  ASSERT_EQ(items.size(), 50U);
  ASSERT_EQ(items.keys.size(), 300U);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(items.identities[i], identity_of(column, i));
    for (std::size_t j = 0; j < i; ++j) {
      if (counts_of(column, i, j).different() > 0) continue;
      EXPECT_TRUE(std::equal(&items.keys[6 * i], &items.keys[6 * i] + 6, &items.keys[6 * j]));
    }
  }
}

}  // namespace
}  // namespace sosie
