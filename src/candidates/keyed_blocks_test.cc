// Tests of blocks, sorted windows and unions of candidates, compared with all pairs.
#include "candidates/keyed_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace sosie {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

template <typename Source>
std::set<Pair> pairs_of(const Source& source, std::uint32_t lefts) {
  std::set<Pair> pairs;
  std::vector<std::uint32_t> partners;
  for (std::uint32_t left = 0; left < lefts; ++left) {
    partners.clear();
    source.append(left, partners);
    for (const std::uint32_t right : partners) pairs.emplace(left, right);
  }
  return pairs;
}

RC_GTEST_PROP(KeyedBlocks, HoldEveryPairOfEqualKeys, (bool across)) {
  const auto keys =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 5));
  const auto records = static_cast<std::uint32_t>(keys.size());
  const std::uint32_t split = across ? records / 2 : 0;
  const std::uint32_t lefts = across ? split : records;
  const KeyedBlocks blocks(keys, split, 1000);
  if (across && split == 0) return;
  std::set<Pair> expected;
  for (std::uint32_t a = 0; a < lefts; ++a) {
    for (std::uint32_t b = across ? split : a + 1; b < records; ++b) {
      if (keys[a] != 0 && keys[a] == keys[b]) expected.emplace(a, b);
    }
  }
  RC_ASSERT(pairs_of(blocks, lefts) == expected);
  std::uint64_t count = 0;
  for (std::uint32_t key = 1; key < blocks.keys(); ++key) count += blocks.pairs_of(key);
  RC_ASSERT(count == expected.size());
}

TEST(KeyedBlocks, LeaveOutLargeBlocks) {
  const KeyedBlocks blocks({1, 1, 1, 2, 2}, 0, 2);
  EXPECT_TRUE(blocks.is_large(1));
  EXPECT_EQ(pairs_of(blocks, 5), (std::set<Pair>{{3, 4}}));
}

RC_GTEST_PROP(SortedWindow, HoldsPairsThatLieNearEachOther, ()) {
  const auto records = *rc::gen::inRange<std::uint32_t>(0, 20);
  const auto window = *rc::gen::inRange<std::uint32_t>(1, 5);
  std::vector<std::uint32_t> order(records);
  for (std::uint32_t i = 0; i < records; ++i) order[i] = (i * 7 + 3) % std::max(1U, records);
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  std::reverse(order.begin(), order.end());
  std::set<Pair> expected;
  for (std::size_t a = 0; a < order.size(); ++a) {
    for (std::size_t b = a + 1; b < order.size() && b <= a + window; ++b) {
      expected.emplace(std::min(order[a], order[b]), std::max(order[a], order[b]));
    }
  }
  RC_ASSERT(pairs_of(SortedWindow(order, records, 0, window), records) == expected);
}

TEST(CandidateUnion, ListsEachPartnerOnceWithItsRules) {
  const CandidateUnion found({[](std::uint32_t, std::vector<std::uint32_t>& out) {
                                out = {5, 3, 5};
                              },
                              [](std::uint32_t, std::vector<std::uint32_t>& out) {
                                out = {4, 3};
                              }});
  CandidateUnion::Buffers buffers;
  const auto partners = found.of(0, buffers);
  ASSERT_EQ(partners.size(), 3U);
  EXPECT_EQ(partners[0].partner, 3U);
  EXPECT_EQ(partners[0].rules, 3U);
  EXPECT_EQ(partners[1].partner, 4U);
  EXPECT_EQ(partners[1].rules, 2U);
  EXPECT_EQ(partners[2].partner, 5U);
  EXPECT_EQ(partners[2].rules, 1U);
}

}  // namespace
}  // namespace sosie
