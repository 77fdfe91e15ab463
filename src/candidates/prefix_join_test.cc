#include "candidates/prefix_join.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

#include "candidates/order_tokens.h"
#include "core/mix64.h"
#include "kernels/join_postings.h"
#include "kernels/on_every_target_test.h"
#include "verify/jaccard.h"
#include "verify/measures.h"

namespace sosie {
namespace {

using Elements = std::vector<std::uint32_t>;
using Found = std::tuple<Place, Place, std::uint32_t, std::uint32_t>;

const Measure kSetJaccard = *set_measure("jaccard");

void no_progress(std::size_t /*done*/) {}

Rational threshold(std::string_view text) { return *parse_rational(text); }

std::vector<Found> listed(const std::vector<VerifiedPair>& pairs) {
  std::vector<Found> found;
  for (const VerifiedPair& pair : pairs) {
    found.emplace_back(pair.left, pair.right, pair.overlap.shared, pair.overlap.united);
  }
  return found;
}

// The pairs reported by prefix_join(), sorted.
std::vector<VerifiedPair> joined(const TokenSets& sets, const PrefixJoin& join, ThreadPool& pool,
                                 JoinCounts& counts) {
  std::mutex mutex;
  std::vector<VerifiedPair> pairs;
  const auto take = [&](std::span<const VerifiedPair> some) {
    const std::lock_guard lock(mutex);
    pairs.insert(pairs.end(), some.begin(), some.end());
  };
  prefix_join(sets, join, pool, take, no_progress, counts);
  EXPECT_EQ(counts.pairs, pairs.size());
  std::sort(pairs.begin(), pairs.end(),
            [](const VerifiedPair& a, const VerifiedPair& b) { return sort_key(a) < sort_key(b); });
  return pairs;
}

HashedSets hashed_sets(const std::vector<std::set<std::uint32_t>>& sets) {
  HashedSets out;
  for (const auto& set : sets) {
    for (const std::uint32_t element : set) out.hashes.push_back(mix64(element + 1));
    out.starts.push_back(out.hashes.size());
  }
  return out;
}

// Sets in a token order chosen by the test, by ascending size.
TokenSets in_given_order(std::vector<Elements> sets, std::uint32_t universe) {
  TokenSets out;
  std::stable_sort(sets.begin(), sets.end(),
                   [](const Elements& a, const Elements& b) { return a.size() < b.size(); });
  for (const Elements& set : sets) {
    out.places.push_back(static_cast<Place>(out.places.size()));
    out.tokens.insert(out.tokens.end(), set.begin(), set.end());
    out.starts.push_back(out.tokens.size());
  }
  out.universe = universe;
  return out;
}

Elements letters(std::string_view word) {
  Elements set;
  for (const char c : word) set.push_back(static_cast<std::uint32_t>(c - 'a'));
  return set;
}

// Pairs according to the measure itself, which the tests of verify/ cover.
std::vector<Found> by_definition(const std::vector<std::set<std::uint32_t>>& sets,
                                 const Measure& measure, const Rational& t, PairScope scope) {
  std::vector<Found> found;
  for (Place i = 0; i < sets.size() && i < scope.left_end; ++i) {
    for (Place j = std::max(i + 1, scope.right_begin); j < sets.size(); ++j) {
      if (sets[i].empty() || sets[j].empty()) continue;
      std::vector<std::uint32_t> both;
      std::set_intersection(sets[i].begin(), sets[i].end(), sets[j].begin(), sets[j].end(),
                            std::back_inserter(both));
      const auto shared = static_cast<std::uint32_t>(both.size());
      const auto united = static_cast<std::uint32_t>(sets[i].size() + sets[j].size()) - shared;
      const auto left = static_cast<std::uint32_t>(sets[i].size());
      if (measure.reaches({shared, united, left}, t)) {
        found.emplace_back(i, j, shared, united);
      }
    }
  }
  return found;
}

// Random sets over a small universe, some of them near-copies of others.
std::vector<std::set<std::uint32_t>> random_sets(std::uint64_t seed, std::size_t count,
                                                 std::uint32_t universe, std::size_t most) {
  std::vector<std::set<std::uint32_t>> sets(count);
  std::uint64_t at = 0;
  const auto draw = [&](std::uint64_t below) { return random64(seed, at++) % below; };
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && draw(2) == 0) {
      sets[i] = sets[draw(i)];
      for (std::uint64_t edits = draw(4); edits > 0 && !sets[i].empty(); --edits) {
        sets[i].erase(
            std::next(sets[i].begin(), static_cast<std::ptrdiff_t>(draw(sets[i].size()))));
        sets[i].insert(static_cast<std::uint32_t>(draw(universe)));
      }
    } else {
      for (std::uint64_t size = draw(most + 1); size > 0; --size) {
        sets[i].insert(static_cast<std::uint32_t>(draw(universe)));
      }
    }
  }
  return sets;
}

// T-9.5, within one collection and between two.
RC_GTEST_PROP(PrefixJoin, T9_5_EqualsTheDefinitionForEveryThreshold, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 13);
  const auto num = *rc::gen::inRange<std::uint64_t>(1, den + 1);
  const auto universe = *rc::gen::element<std::uint32_t>(6, 20, 300);
  const auto count = *rc::gen::inRange<std::size_t>(0, 60);
  const auto sets = random_sets(seed, count, universe, *rc::gen::element<std::size_t>(4, 14, 90));
  const Rational t = *parse_rational(std::to_string(num) + "/" + std::to_string(den));
  const auto border = *rc::gen::inRange<Place>(0, static_cast<Place>(count) + 1);
  ThreadPool pool(*rc::gen::element(1U, 3U), nullptr);
  const TokenSets ordered = order_tokens(hashed_sets(sets), pool);
  for (const PairScope scope :
       {PairScope{}, PairScope{kNoPlace, border}, PairScope{border, border}}) {
    for (const Measure& measure : usual_set_measures()) {
      JoinCounts counts;
      const PrefixJoin join{&measure, t, {}, scope};
      const auto found = joined(ordered, join, pool, counts);
      RC_ASSERT(listed(found) == by_definition(sets, measure, t, scope));
      RC_ASSERT(counts.pairs == found.size());
      for (const VerifiedPair& pair : found) {
        RC_ASSERT(pair.overlap.left == sets[pair.left].size());
        RC_ASSERT(pair.overlap.right() == sets[pair.right].size());
      }
    }
  }
}

TEST(PrefixJoin, NoFilterLosesOrAddsAPair) {
  ThreadPool pool(2, nullptr);
  const auto sets = random_sets(7, 400, 60, 25);
  const TokenSets ordered = order_tokens(hashed_sets(sets), pool);
  const auto expected = by_definition(sets, kSetJaccard, threshold("0.6"), {});
  ASSERT_GT(expected.size(), 100U);
  std::uint64_t least_verified = ~std::uint64_t{0};
  for (const char* names :
       {"none", "length", "prefix", "position", "suffix", "signature", "length,prefix",
        "length,prefix,position", "length,prefix,position,suffix",
        "length,prefix,position,suffix,signature"}) {
    JoinCounts counts;
    const PrefixJoin join{&kSetJaccard, threshold("0.6"), *parse_filters(names)};
    EXPECT_EQ(listed(joined(ordered, join, pool, counts)), expected) << names;
    EXPECT_GE(counts.length, counts.position);
    EXPECT_GE(counts.position, counts.suffix);
    EXPECT_GE(counts.suffix, counts.signature);
    EXPECT_GE(counts.signature, counts.verified);
    EXPECT_GE(counts.verified, counts.pairs);
    least_verified = std::min(least_verified, counts.verified);
  }
  EXPECT_LT(least_verified, 2 * expected.size());
}

// Includes sizes larger than the number of lanes in a vector.
TEST(PrefixJoin, IsTheSameOnEveryInstructionSet) {
  ThreadPool pool(1, nullptr);
  const auto sets = random_sets(11, 700, 150, 90);
  const TokenSets ordered = order_tokens(hashed_sets(sets), pool);
  for (const char* t : {"0.3", "0.8"}) {
    const auto expected = by_definition(sets, kSetJaccard, threshold(t), {});
    ASSERT_GT(expected.size(), 100U);
    JoinCounts first;
    kernels::on_every_target([&](std::string_view target) {
      JoinCounts counts;
      const auto found = joined(ordered, {&kSetJaccard, threshold(t)}, pool, counts);
      EXPECT_EQ(listed(found), expected) << target;
      if (first.length == 0) first = counts;
      EXPECT_EQ(counts.position, first.position) << target;
      EXPECT_EQ(counts.suffix, first.suffix) << target;
      EXPECT_EQ(counts.signature, first.signature) << target;
      EXPECT_EQ(counts.verified, first.verified) << target;
    });
  }
}

// Each set contains half of 16 frequent tokens and one token of its own, so two sets reach .8 if
// they contain the same half. The lists of the 16 tokens are joined in blocks.
TEST(PrefixJoin, JoinsListsLongerThanABlock) {
  constexpr std::uint32_t kSets = 5 * kernels::kMostIndexed / 2;
  std::vector<std::set<std::uint32_t>> sets;
  std::vector<std::set<std::uint32_t>> halves;
  for (std::uint64_t draw = 0; sets.size() < kSets; ++draw) {
    const std::uint64_t bits = random64(5, draw) & 0xffff;
    if (std::popcount(bits) != 8) continue;
    std::set<std::uint32_t> set;
    for (std::uint32_t bit = 0; bit < 16; ++bit) {
      if ((bits >> bit & 1) != 0) set.insert(bit);
    }
    halves.push_back(set);
    set.insert(100 + static_cast<std::uint32_t>(sets.size()));
    sets.push_back(set);
  }
  ThreadPool pool(3, nullptr);
  const TokenSets ordered = order_tokens(hashed_sets(sets), pool);
  constexpr Place kBorder = kSets - 300;
  for (const PairScope scope : {PairScope{}, PairScope{kBorder, kBorder}}) {
    std::map<std::set<std::uint32_t>, std::uint64_t> before;
    std::uint64_t expected = 0;
    for (Place i = 0; i < kSets; ++i) {
      if (i >= scope.right_begin) expected += before[halves[i]];
      if (i < scope.left_end) ++before[halves[i]];
    }
    JoinCounts counts;
    const auto found = joined(ordered, {&kSetJaccard, threshold("0.8"), {}, scope}, pool, counts);
    EXPECT_EQ(found.size(), expected);
    EXPECT_TRUE(std::all_of(found.begin(), found.end(), [&](const VerifiedPair& pair) {
      return halves[pair.left] == halves[pair.right] && pair.overlap.shared == 8;
    }));
  }
}

// Joins the first half of the sets with the second. Whole prefixes are then indexed, as in the
// book; within a single collection, shorter ones are enough.
std::uint64_t verified_with(const TokenSets& sets, const char* t, const char* filters) {
  ThreadPool pool(1, nullptr);
  JoinCounts counts;
  const Place half = sets.size() / 2;
  const PrefixJoin join{&kSetJaccard, threshold(t), *parse_filters(filters), {half, half}};
  (void)joined(sets, join, pool, counts);
  return counts.verified;
}

TEST(PrefixJoin, T9_6_WhatIsComparedUnderWhichIndex) {
  ThreadPool pool(1, nullptr);
  JoinCounts counts;
  const TokenSets three =
      in_given_order({letters("bcdefghij"), letters("abcdefghij"), letters("cdefghij")}, 26);
  const auto pairs = joined(three, {&kSetJaccard, threshold("0.9")}, pool, counts);
  EXPECT_EQ(listed(pairs), (std::vector<Found>{{1, 2, 9, 10}}));  // by size: cde, bcd, abc
  const TokenSets two = in_given_order({letters("acdefghijk"), letters("bcdefghijk")}, 26);
  EXPECT_EQ(verified_with(two, "0.9", "length,prefix"), 1U);
  EXPECT_EQ(verified_with(two, "0.9", "length,prefix,position"), 0U);
}

TEST(PrefixJoin, T9_7_HowOftenRandomSetsAreComparedUnderThePositionIndex) {
  constexpr std::uint32_t kSets = 6000;
  for (const auto& [size, probability] : {std::pair{9U, .049638}, {10U, .107334}}) {
    std::vector<Elements> sets;
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < kSets; ++i) {
      std::set<std::uint32_t> drawn;
      while (drawn.size() < size) {
        drawn.insert(static_cast<std::uint32_t>(random64(size, at++) % 100));
      }
      sets.emplace_back(drawn.begin(), drawn.end());
    }
    const auto compared = static_cast<double>(
        verified_with(in_given_order(sets, 100), "0.9", "length,prefix,position"));
    EXPECT_NEAR(compared / (kSets * (kSets / 4.0)), probability, .04 * probability) << size;
  }
}

TEST(PrefixJoin, TakesSetsOfVeryDifferentSizes) {
  std::vector<std::set<std::uint32_t>> sets(6);
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    sets[0].insert(i);
    if (i >= 10'000) sets[1].insert(i);
    if (i % 2 == 0) sets[2].insert(i);
  }
  sets[3] = {1};
  sets[4] = {1, 2};
  sets[5] = {};
  ThreadPool pool(2, nullptr);
  JoinCounts counts;
  const auto pairs =
      joined(order_tokens(hashed_sets(sets), pool), {&kSetJaccard, threshold("0.5")}, pool, counts);
  EXPECT_EQ(listed(pairs), by_definition(sets, kSetJaccard, threshold("0.5"), {}));
  EXPECT_EQ(pairs.size(), 3U);
}

TEST(PrefixJoin, ForetellsHowManyPairsThereWillBe) {
  std::vector<std::set<std::uint32_t>> sets;  // 90 times 100 * 99 / 2 pairs: 445,500
  for (std::uint32_t i = 0; i < 9000; ++i) sets.push_back({10'000 + i % 90, 20'000 + i});
  ThreadPool pool(2, nullptr);
  const TokenSets ordered = order_tokens(hashed_sets(sets), pool);
  JoinCounts counts;
  PrefixJoin join{&kSetJaccard, threshold("1/3")};
  std::uint64_t foretold = 0;
  join.foretell = [&](std::uint64_t pairs) { foretold = pairs; };
  EXPECT_EQ(joined(ordered, join, pool, counts).size(), 445'500U);
  EXPECT_NEAR(static_cast<double>(foretold), 445'500, 45'000);
}

TEST(PrefixJoin, TakesNoSets) {
  ThreadPool pool(2, nullptr);
  JoinCounts counts;
  for (const std::size_t count : {0U, 1U, 3U}) {
    const TokenSets sets =
        order_tokens(hashed_sets(std::vector<std::set<std::uint32_t>>(count)), pool);
    EXPECT_TRUE(joined(sets, {&kSetJaccard, threshold("0.5")}, pool, counts).empty());
  }
}

TEST(TokenOrder, NumbersRareElementsFirst) {
  ThreadPool pool(3, nullptr);
  const TokenSets sets = order_tokens(hashed_sets({{1, 2, 3}, {1, 2}, {1}, {1, 9}}), pool);
  EXPECT_EQ(sets.universe, 4U);
  EXPECT_EQ(sets.first_shared, 2U);                                  // 3 and 9 are in only one set
  EXPECT_EQ(sets.places, (std::vector<Place>{2, 1, 3, 0}));          // by size, then place
  EXPECT_EQ(Elements(sets[0].begin(), sets[0].end()), Elements{3});  // 1 is the most frequent
  EXPECT_EQ(Elements(sets[1].begin(), sets[1].end()), (Elements{2, 3}));
  const auto random = random_sets(3, 5000, 400, 30);
  ThreadPool one(1, nullptr);
  EXPECT_EQ(order_tokens(hashed_sets(random), pool).tokens,
            order_tokens(hashed_sets(random), one).tokens);
}

TEST(Filters, AreNamedInAList) {
  EXPECT_TRUE(parse_filters("none")->length == false);
  EXPECT_TRUE(parse_filters("suffix,length")->suffix);
  EXPECT_FALSE(parse_filters("suffix,length")->prefix);
  for (const char* text : {"", "prefix,", "prefixes", "none,length"}) {
    EXPECT_FALSE(parse_filters(text)) << text;
  }
}

}  // namespace
}  // namespace sosie
