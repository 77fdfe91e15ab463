// Tests of the hashed join of bit strings, compared with the keys of each string.
#include "join/bits/bit_lsh.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "corpus/items/sketched_items.h"
#include "join/bits/bits_test.h"
#include "join/pairs_by_hashes_test.h"
#include "sketch/sampled_positions.h"

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

// Bit strings of one word with the first bit lowest, as the book counts positions.
BitColumn column_of(const std::vector<std::string>& strings) {
  BitColumn column{strings.size(), strings.front().size(), 1, {}};
  for (const std::string& string : strings) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < string.size(); ++i) {
      word |= static_cast<std::uint64_t>(string[i] == '1') << i;
    }
    column.data.push_back(word);
  }
  return column;
}

// Each band is one function, and each function is one of the six positions (from 1), so the pairs
// in its buckets are the candidates found by that function.
TEST(BitLsh, T7_1_CandidatesByEachFunctionOfTheFamily) {
  const BitColumn column = column_of({"000000", "110011", "010101", "011100"});
  const std::map<std::pair<int, int>, std::set<std::uint32_t>> expected = {
      {{1, 2}, {3, 4}},    {{1, 3}, {1, 3, 5}}, {{1, 4}, {1, 5, 6}},
      {{2, 3}, {2, 3, 6}}, {{2, 4}, {2}},       {{3, 4}, {1, 2, 4, 5}}};
  const BitSettings settings = settings_within({6, 1});
  LshPlan plan;
  plan.bands = 60;
  plan.rows = 1;
  ThreadPool pool(1, nullptr);
  const std::vector<std::uint32_t> keys = BitLsh(column, settings, pool, plan).hashes().keys;
  const auto positions = sampled_positions(60, 6, settings.run.seed);
  EXPECT_EQ(std::set<std::uint32_t>(positions.begin(), positions.end()).size(), 6U);
  std::map<std::pair<int, int>, std::set<std::uint32_t>> found;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      for (std::size_t band = 0; band < 60; ++band) {
        const bool meet = keys[60 * static_cast<std::size_t>(i) + band] ==
                          keys[60 * static_cast<std::size_t>(j) + band];
        if (meet) found[{i + 1, j + 1}].insert(positions[band] + 1);
      }
    }
  }
  EXPECT_EQ(found, expected);
}

// Bands that do not fit in memory are hashed when they are needed.
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
    const auto memory = memory_for_bands(needs_of_bands(column, plan, settings, pool, 0));
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
