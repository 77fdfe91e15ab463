// Tests choosing the pairs that a person is asked to label.
#include "decide/suggest_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/mix64.h"

namespace sosie {
namespace {

// High-confidence matches, doubtful pairs and unrelated records: strata 0, 1 and 2.
std::vector<AskablePair> sure_doubtful_and_strange(std::size_t each) {
  std::vector<AskablePair> pairs;
  for (std::size_t i = 0; i < 3 * each; ++i) {
    const std::size_t stratum = i % 3;
    const double p = stratum == 0 ? 0.99 : stratum == 1 ? 0.5 : 0.001;
    pairs.push_back({p, stratum, mix64(i / 3 % 5), mix64(i), 1, stratum == 2 ? 0 : 0.05});
  }
  return pairs;
}

std::vector<std::size_t> counts_of(const std::vector<AskablePair>& pairs,
                                   const std::vector<std::size_t>& chosen) {
  std::vector<std::size_t> counts(3);
  for (const std::size_t i : chosen) ++counts[pairs[i].stratum];
  return counts;
}

TEST(SuggestedPairs, AreAsManyAsWantedAndEachOnce) {
  const std::vector<AskablePair> pairs = sure_doubtful_and_strange(50);
  for (const std::uint64_t most : {1U, 7U, 60U, 149U, 150U, 1000U}) {
    const std::vector<std::size_t> chosen = suggest_pairs(pairs, 3, most, 1);
    EXPECT_EQ(chosen.size(), std::min<std::size_t>(most, pairs.size()));
    EXPECT_EQ(std::set<std::size_t>(chosen.begin(), chosen.end()).size(), chosen.size());
  }
  EXPECT_TRUE(suggest_pairs({}, 3, 10, 1).empty());
}

TEST(SuggestedPairs, AskMostAboutDoubtfulOnesAndSomeAboutSureOnes) {
  const std::vector<AskablePair> pairs = sure_doubtful_and_strange(1000);
  const std::vector<std::size_t> counts = counts_of(pairs, suggest_pairs(pairs, 3, 100, 1));
  EXPECT_GT(counts[1], counts[0]);
  EXPECT_GT(counts[0], counts[2]);
  EXPECT_GE(counts[0], 10U);
}

TEST(SuggestedPairs, AreSpreadOverKinds) {
  const std::vector<AskablePair> pairs = sure_doubtful_and_strange(1000);
  std::vector<std::size_t> of_kind(5);
  for (const std::size_t i : suggest_pairs(pairs, 3, 200, 1)) {
    if (pairs[i].stratum == 1) ++of_kind[i / 3 % 5];
  }
  const auto [least, most] = std::minmax_element(of_kind.begin(), of_kind.end());
  EXPECT_LE(*most - *least, 1U);
}

TEST(SuggestedPairs, AreAskedThoughAMeanExceedsOne) {
  std::vector<AskablePair> pairs = sure_doubtful_and_strange(20);
  for (AskablePair& pair : pairs) {
    if (pair.stratum != 0) continue;
    pair.probability = 1 + 1e-15;
    pair.doubt = 0;
  }
  const std::vector<std::size_t> counts = counts_of(pairs, suggest_pairs(pairs, 3, 20, 1));
  EXPECT_EQ(counts[0] + counts[1] + counts[2], 20U);
  EXPECT_GT(counts[1], 0U);
}

TEST(SuggestedPairs, StandForAsManyAsTheirWeights) {
  std::vector<AskablePair> pairs = sure_doubtful_and_strange(200);
  for (AskablePair& pair : pairs) pair.weight = pair.stratum == 0 ? 100 : 1;
  const std::vector<std::size_t> counts = counts_of(pairs, suggest_pairs(pairs, 3, 100, 1));
  EXPECT_GT(counts[0], 90U);
}

}  // namespace
}  // namespace sosie
