// Tests comparing links with true pairs; the reference is plain sets of pairs.
#include "decide/link_quality.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>

namespace sosie {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Pairs = std::set<Pair>;

Pairs seen(const TruePairs& truth) {
  Pairs pairs;
  Pair last{0, 0};
  truth.each([&](const RecordPair& pair) {
    RC_ASSERT(pairs.empty() || last < Pair(pair.left, pair.right));
    last = {pair.left, pair.right};
    pairs.insert(last);
    return true;
  });
  return pairs;
}

std::vector<std::uint32_t> random_labels() {
  return *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::element<std::uint32_t>(0, 1, 2, 7, kNoLabel));
}

RC_GTEST_PROP(TruePairs, OfLabelsAreAllPairsOfEqualOnes, ()) {
  const std::vector<std::uint32_t> left = random_labels();
  std::vector<std::uint32_t> right = random_labels();
  const bool one = *rc::gen::arbitrary<bool>();
  if (one) right = left;
  Pairs expected;
  const TruePairs truth = one ? TruePairs::of_labels(left) : TruePairs::of_labels(left, right);
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    for (std::uint32_t j = one ? i + 1 : 0; j < right.size(); ++j) {
      const bool equal = left[i] == right[j] && left[i] != kNoLabel;
      if (equal) expected.insert({i, j});
      RC_ASSERT(truth.contains({i, j}) == equal);
    }
  }
  RC_ASSERT(truth.count() == expected.size());
  RC_ASSERT(seen(truth) == expected);
}

Pairs random_pairs() {
  Pairs pairs;
  const auto record = rc::gen::inRange<std::uint32_t>(0, 8);
  for (int i = *rc::gen::inRange(0, 40); i > 0; --i) pairs.insert({*record, *record});
  return pairs;
}

std::vector<RecordPair> listed(const Pairs& pairs) {
  std::vector<RecordPair> out;
  for (const auto& [left, right] : pairs) out.push_back({left, right});
  return out;
}

// Expects exactly these lost pairs, with the first ten as examples.
void expect_lost(const LostPairs& lost, const Pairs& expected) {
  RC_ASSERT(lost.count == expected.size());
  std::vector<Pair> examples;
  for (const RecordPair& pair : lost.examples) examples.emplace_back(pair.left, pair.right);
  std::vector<Pair> first(expected.begin(), expected.end());
  if (first.size() > kLostExamples) first.resize(kLostExamples);
  RC_ASSERT(examples == first);
}

RC_GTEST_PROP(LinkTruth, TellsWhereEachTruePairWasLost, ()) {
  const Pairs truth = random_pairs();
  const Pairs output = random_pairs();
  std::vector<RecordPair> given = listed(truth);
  if (!given.empty()) given.push_back(given.front());  // a repetition
  const TruePairs true_pairs = TruePairs::of_pairs(given);
  std::vector<ScoredLink> scored;
  Pairs low;
  Pairs high;
  Pairs never;
  std::uint64_t found = 0;
  for (const Pair& pair : truth) {
    const bool candidate = *rc::gen::arbitrary<bool>();
    const double score = *rc::gen::element(1.0, 2.0, 3.0);
    if (candidate) scored.push_back({pair.first, pair.second, score, 0});
    if (output.contains(pair)) {
      ++found;
    } else {
      (!candidate ? never : score < 2 ? low : high).insert(pair);
    }
  }
  const std::vector<RecordPair> linked = listed(output);
  const LinkQuality quality = judge_links({true_pairs, scored, 2.0, linked});
  RC_ASSERT(quality.true_pairs == truth.size());
  RC_ASSERT(quality.found == found);
  expect_lost(quality.by_candidates, never);
  expect_lost(quality.by_score, low);
  expect_lost(quality.by_decision, high);
  if (output.empty() && truth.empty()) return;
  RC_ASSERT(quality.f1 ==
            2.0 * static_cast<double>(found) / static_cast<double>(output.size() + truth.size()));
}

TEST(TruePairs, OfAnEmptyCollectionAreNone) {
  EXPECT_EQ(TruePairs::of_labels({4, 4}, {}).count(), 0U);
  EXPECT_EQ(TruePairs::of_labels({}, {4, 4}).count(), 0U);
}

TEST(LinkTruth, OfNothingIsPerfect) {
  const TruePairs none = TruePairs::of_pairs({});
  const LinkQuality quality = judge_links({none, {}, 0, {}});
  EXPECT_EQ(quality.precision, 1);
  EXPECT_EQ(quality.recall, 1);
  EXPECT_EQ(quality.f1, 1);
}

TEST(LinkTruth, GivesPrecisionAndRecall) {
  const TruePairs truth = TruePairs::of_labels({5, 5, 5, kNoLabel, kNoLabel});
  const std::vector<RecordPair> output = {{0, 1}, {3, 4}};
  const LinkQuality quality = judge_links({truth, {}, 0, output});
  EXPECT_EQ(quality.precision, .5);
  EXPECT_DOUBLE_EQ(quality.recall, 1.0 / 3);
  EXPECT_DOUBLE_EQ(quality.f1, .4);
  EXPECT_EQ(quality.by_candidates.count, 2U);
}

}  // namespace
}  // namespace sosie
