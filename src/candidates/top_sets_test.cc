#include "candidates/top_sets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "candidates/order_tokens.h"
#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

// Some elements stand in many sets, as words do.
rc::Gen<Set> set_gen() {
  return rc::gen::map(rc::gen::container<Set>(rc::gen::inRange<std::uint64_t>(0, 60)), [](Set set) {
    for (std::uint64_t& number : set) number = mix64(1 + number * number / 60);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set;
  });
}

TokenSets ordered(const std::vector<Set>& sets, ThreadPool& pool) {
  HashedSets all;
  for (const Set& set : sets) {
    all.hashes.insert(all.hashes.end(), set.begin(), set.end());
    all.starts.push_back(all.hashes.size());
  }
  return order_tokens(all, pool);
}

// By comparing with every other set.
std::vector<Place> by_definition(const std::vector<Set>& sets, Place place, std::uint64_t most,
                                 const Measure& measure) {
  std::vector<std::pair<Overlap, Place>> others;
  for (Place other = 0; other < sets.size(); ++other) {
    const Overlap overlap = measure.overlap(sets[place], sets[other]);
    if (other != place && overlap.shared > 0) others.emplace_back(overlap, other);
  }
  std::stable_sort(others.begin(), others.end(), [&](const auto& a, const auto& b) {
    return measure.is_above(a.first, b.first);
  });
  std::vector<Place> best;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(most, others.size()); ++i) {
    best.push_back(others[i].second);
  }
  std::sort(best.begin(), best.end());
  return best;
}

RC_GTEST_PROP(TopSets, AreTheMostSimilarByEveryMeasure, ()) {
  const auto sets = *rc::gen::container<std::vector<Set>>(set_gen());
  const auto most = *rc::gen::inRange<std::uint64_t>(1, 6);
  ThreadPool pool(1, nullptr);
  const TokenSets tokens = ordered(sets, pool);
  std::vector<Place> all(sets.size());
  for (Place place = 0; place < sets.size(); ++place) all[place] = place;
  for (const Measure& measure : usual_set_measures()) {
    const TopSets top(tokens, measure, all);
    TopSets::Finder finder;
    for (Place place = 0; place < sets.size(); ++place) {
      std::vector<Place> found;
      top.find(
          place, most, [](Place other) { return other; }, finder,
          [&](const VerifiedPair& pair) {
            RC_ASSERT(pair.left == place);
            RC_ASSERT(pair.overlap == measure.overlap(sets[place], sets[pair.right]));
            found.push_back(pair.right);
          });
      std::sort(found.begin(), found.end());
      RC_ASSERT(found == by_definition(sets, place, most, measure));
    }
  }
}

TEST(TopSets, DoNotCountAlongFrequentElementsOnceTheBestAreKnown) {
  std::vector<Set> sets;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Set set = {mix64(1)};  // in all of them
    for (std::uint64_t k = 0; k < 20; ++k) set.push_back(mix64(100 + 40 * (i / 2) + k));
    std::sort(set.begin(), set.end());
    sets.push_back(set);
  }
  ThreadPool pool(1, nullptr);
  const TokenSets tokens = ordered(sets, pool);
  std::vector<Place> all(sets.size());
  for (Place place = 0; place < sets.size(); ++place) all[place] = place;
  const Measure measure = *set_measure("jaccard");
  const TopSets top(tokens, measure, all);
  TopSets::Finder finder;
  for (Place place = 0; place < sets.size(); ++place) {
    top.find(
        place, 1, [](Place other) { return other; }, finder,
        [&](const VerifiedPair& pair) { EXPECT_EQ(pair.right, place ^ 1U); });
  }
  EXPECT_LE(finder.verified, 2 * sets.size());
}

}  // namespace
}  // namespace sosie
