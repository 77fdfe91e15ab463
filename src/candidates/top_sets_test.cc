#include "candidates/top_sets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "candidates/order_tokens.h"
#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

// Some elements occur in many sets, as words do.
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

// Compares each set with every other one.
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

struct Values {
  HashedSets sets;                  // set i belongs to value i + 1
  std::vector<std::uint32_t> keys;  // value of each record; 0: none
  std::uint32_t split = 0;
};

double jaccard(const HashedSets& sets, std::uint32_t a, std::uint32_t b) {
  const auto set = [&](std::uint32_t i) {
    return std::vector(sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[i]),
                       sets.hashes.begin() + static_cast<std::ptrdiff_t>(sets.starts[i + 1]));
  };
  const auto left = set(a);
  const auto right = set(b);
  std::vector<std::uint64_t> shared;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(shared));
  const auto all = static_cast<double>(left.size() + right.size() - shared.size());
  return all == 0 ? 0 : static_cast<double>(shared.size()) / all;
}

// Similarities of the nearest records in another collection, or among all others, in descending
// order.
std::vector<double> nearest(const Values& values, std::uint32_t record, std::size_t most) {
  std::vector<double> found;
  for (std::uint32_t other = 0; other < values.keys.size(); ++other) {
    const bool is_partner =
        values.split == 0 ? other != record : (other < values.split) != (record < values.split);
    if (!is_partner || values.keys[other] == 0 || values.keys[record] == 0) continue;
    const double similarity = jaccard(values.sets, values.keys[record] - 1, values.keys[other] - 1);
    if (similarity > 0) found.push_back(similarity);
  }
  std::sort(found.rbegin(), found.rend());
  found.resize(std::min(found.size(), most));
  return found;
}

RC_GTEST_PROP(TopValues, AreTheMostSimilarRecords, ()) {
  constexpr std::uint32_t kRecords = 14;
  const bool across = *rc::gen::arbitrary<bool>();
  Values values;
  values.split = across ? 6 : 0;
  std::vector<std::vector<std::uint32_t>> taken(2);  // values of each collection
  for (std::uint32_t record = 0; record < kRecords; ++record) {
    std::vector<std::uint32_t>& known = taken[across && record >= values.split ? 1 : 0];
    const auto kind = *rc::gen::inRange(0, 6);
    if (kind == 0) {
      values.keys.push_back(0);
    } else if (kind == 1 && !known.empty()) {
      values.keys.push_back(*rc::gen::elementOf(known));
    } else {
      auto set = *rc::gen::nonEmpty(
          rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 30)));
      for (std::uint64_t& element : set) element = mix64(element);
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      values.sets.hashes.insert(values.sets.hashes.end(), set.begin(), set.end());
      values.sets.starts.push_back(values.sets.hashes.size());
      values.keys.push_back(static_cast<std::uint32_t>(values.sets.size()));
      known.push_back(values.keys.back());
    }
  }
  ThreadPool pool(2, nullptr);
  const Measure measure = *set_measure("jaccard");
  TopValues top(values.sets, values.keys, values.split, measure, pool);
  std::vector<std::uint32_t> all(kRecords);
  std::iota(all.begin(), all.end(), 0U);
  const std::uint32_t most = *rc::gen::inRange(1U, 5U);
  top.find(all, most, pool);
  for (const std::uint32_t record : all) {
    std::vector<double> found;
    for (const std::uint32_t partner : top.of(record)) {
      RC_ASSERT(partner != record);
      found.push_back(jaccard(values.sets, values.keys[record] - 1, values.keys[partner] - 1));
    }
    RC_ASSERT(found == nearest(values, record, most));
  }
}

}  // namespace
}  // namespace sosie
