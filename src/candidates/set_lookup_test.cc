#include "candidates/set_lookup.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "core/mix64.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

Rational lookup_threshold(std::string_view text) { return *parse_rational(text); }

// Numbers below `universe` as elements.
rc::Gen<Set> set_gen(std::uint64_t universe) {
  return rc::gen::map(rc::gen::container<Set>(rc::gen::inRange<std::uint64_t>(0, universe)),
                      [](Set set) {
                        for (std::uint64_t& number : set) number = mix64(number + 1);
                        std::sort(set.begin(), set.end());
                        set.erase(std::unique(set.begin(), set.end()), set.end());
                        return set;
                      });
}

HashedSets all_of(const std::vector<Set>& sets) {
  HashedSets all;
  for (const Set& set : sets) {
    all.hashes.insert(all.hashes.end(), set.begin(), set.end());
    all.starts.push_back(all.hashes.size());
  }
  return all;
}

std::vector<Place> found(const SetLookup& lookup, const Set& set, SetLookup::Finder& finder) {
  std::vector<SimilarSet> hits;
  lookup.find(set, finder, hits);
  std::vector<Place> positions;
  for (const auto& hit : hits) positions.push_back(hit.position);
  std::sort(positions.begin(), positions.end());
  return positions;
}

// Follows the measure itself, which the tests of verify/ cover.
std::vector<Place> by_definition(const std::vector<Set>& sets, const Set& asked,
                                 const Measure& measure, const Rational& t) {
  std::vector<Place> positions;
  for (Place i = 0; i < sets.size() && !asked.empty(); ++i) {
    if (sets[i].empty()) continue;
    const Overlap overlap = measure.overlap(asked, sets[i]);
    const bool reaches =
        measure.is_ordered() ? measure.left_reaches(overlap, t) : measure.reaches(overlap, t);
    if (reaches) positions.push_back(i);
  }
  return positions;
}

RC_GTEST_PROP(SetLookup, FindsWhatEveryMeasureCallsSimilar, ()) {
  const auto sets = *rc::gen::container<std::vector<Set>>(set_gen(12));
  const auto asked = *rc::gen::container<std::vector<Set>>(set_gen(15));  // some unknown elements
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 12);
  const Rational t{*rc::gen::inRange<std::uint64_t>(1, den + 1), den};
  for (const Measure& measure : usual_set_measures()) {
    const SetLookup lookup(all_of(sets), measure, t);
    SetLookup::Finder finder;
    for (const Set& set : asked) {
      RC_ASSERT(found(lookup, set, finder) == by_definition(sets, set, measure, t));
    }
  }
}

TEST(SetLookup, LooksAtNoSetThatSharesCommonElementsOnly) {
  std::vector<Set> sets;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Set set = {mix64(1), mix64(100 + 2 * i), mix64(101 + 2 * i)};  // 1 is in all of them
    std::sort(set.begin(), set.end());
    sets.push_back(set);
  }
  const Measure jaccard = *set_measure("jaccard");
  const SetLookup lookup(all_of(sets), jaccard, lookup_threshold("0.6"));
  SetLookup::Finder finder;
  EXPECT_EQ(found(lookup, sets[7], finder), std::vector<Place>{7});
  EXPECT_EQ(finder.candidates, 1U);
}

TEST(SetLookup, NoSetsAndEmptySetsMatchNothing) {
  SetLookup::Finder finder;
  const Measure jaccard = *set_measure("jaccard");
  const SetLookup none(HashedSets{}, jaccard, lookup_threshold("0.5"));
  EXPECT_TRUE(found(none, {1, 2}, finder).empty());
  SetLookup::Finder other;
  const SetLookup empty(all_of({{}, {1, 2}}), jaccard, lookup_threshold("0.5"));
  EXPECT_TRUE(found(empty, {}, other).empty());
  EXPECT_EQ(found(empty, {1, 2}, other), std::vector<Place>{1});
}

}  // namespace
}  // namespace sosie
