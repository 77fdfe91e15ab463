#include "candidates/group_equal_keys.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "core/mix64.h"
#include "plan/candidate_probability.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"

namespace sosie {
namespace {

using PairSet = std::set<std::pair<Place, Place>>;

PairSet pairs_in(const Buckets& buckets) {
  PairSet pairs;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    for (const Place a : buckets[i]) {
      for (const Place b : buckets[i]) {
        if (a < b) pairs.emplace(a, b);
      }
    }
  }
  return pairs;
}

Buckets group(const std::vector<std::uint64_t>& keys) {
  std::vector<Place> places(keys.size());
  std::iota(places.begin(), places.end(), Place{0});
  GroupingScratch scratch;
  const KeyColumn column{keys, places};
  return group_equal_keys({&column, 1}, scratch);
}

// Candidates among signature columns, found through keys and grouping as in a run; numbered from 1.
PairSet candidates(const std::vector<std::vector<std::uint32_t>>& signatures, int bands, int rows) {
  std::vector<Buckets> of_bands;
  for (std::size_t band = 0; band < static_cast<std::size_t>(bands); ++band) {
    std::vector<std::uint64_t> keys;
    for (const auto& signature : signatures) {
      std::vector<std::uint64_t> all(static_cast<std::size_t>(bands));
      band_keys(signature, rows, all);
      keys.push_back(all[band]);
    }
    of_bands.push_back(group(keys));
  }
  PairSet from_one;
  for (const auto& [a, b] : pairs_in(join_bands(std::move(of_bands))))
    from_one.emplace(a + 1, b + 1);
  return from_one;
}

TEST(Banding, T4_8_TextbookBandHasOneCandidate) {
  EXPECT_EQ(candidates({{1, 3, 0}, {0, 2, 1}, {0, 1, 3}, {0, 2, 1}, {2, 2, 1}}, 1, 3),
            (PairSet{{2, 4}}));
}

TEST(Banding, T4_8_SignaturesOfT3_4) {
  const std::vector<std::vector<std::uint32_t>> columns = {
      {2, 2, 1}, {1, 1, 2}, {2, 4, 1}, {1, 1, 2}};
  EXPECT_EQ(candidates(columns, 1, 3), (PairSet{{2, 4}}));
  EXPECT_EQ(candidates(columns, 3, 1), (PairSet{{1, 3}, {2, 4}}));
}

RC_GTEST_PROP(Grouping, FindsEveryEqualKeyAndNoOther, ()) {
  const auto range = *rc::gen::element<std::uint64_t>(3, 50, std::uint64_t{1} << 40);
  const auto keys =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, range));
  std::map<std::uint64_t, std::vector<Place>> expected;
  for (std::size_t i = 0; i < keys.size(); ++i) expected[keys[i]].push_back(static_cast<Place>(i));
  std::set<std::vector<Place>> large;
  for (const auto& [key, members] : expected) {
    if (members.size() > 1) large.insert(members);
  }
  const Buckets buckets = group(keys);
  std::set<std::vector<Place>> found;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    found.emplace(buckets[i].begin(), buckets[i].end());
  }
  RC_ASSERT(found == large);
  RC_ASSERT(found.size() == buckets.size());
}

TEST(Grouping, LeavesOutItemsThatTakeNoPart) {
  const std::vector<std::uint64_t> keys = {5, 5, 5};
  const std::vector<Place> places = {0, kNoPlace, 1};
  GroupingScratch scratch;
  const KeyColumn column{keys, places};
  const Buckets buckets = group_equal_keys({&column, 1}, scratch);
  ASSERT_EQ(buckets.size(), 1U);
  EXPECT_EQ(std::vector<Place>(buckets[0].begin(), buckets[0].end()), (std::vector<Place>{0, 1}));
}

TEST(Grouping, SameBucketsHoweverColumnsAreCut) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t i = 0; i < 5000; ++i) keys.push_back(random64(9, i % 1700) >> 24);
  std::vector<Place> places(keys.size());
  std::iota(places.begin(), places.end(), Place{0});
  GroupingScratch scratch;
  const Buckets whole = group(keys);
  std::vector<KeyColumn> columns;
  for (std::size_t at = 0; at < keys.size(); at += 700) {
    const std::size_t size = std::min<std::size_t>(700, keys.size() - at);
    columns.push_back({std::span(keys).subspan(at, size), std::span(places).subspan(at, size)});
  }
  const Buckets cut = group_equal_keys(columns, scratch);
  EXPECT_EQ(whole.members, cut.members);
  EXPECT_EQ(whole.starts, cut.starts);
  for (const unsigned threads : {1U, 2U, 7U}) {
    ThreadPool pool(threads, nullptr);
    const Buckets together = group_equal_keys(columns, pool);
    EXPECT_EQ(whole.members, together.members);
    EXPECT_EQ(whole.starts, together.starts);
  }
}

TEST(Buckets, AreListedByItem) {
  const Buckets buckets = group({7, 8, 7, 9, 8, 7});
  ThreadPool single(1, nullptr);
  const BucketsOfItems of_items = buckets_of_items(buckets, 6, single);
  for (const unsigned threads : {2U, 7U, 20U}) {
    ThreadPool pool(threads, nullptr);
    const BucketsOfItems same = buckets_of_items(buckets, 6, pool);
    EXPECT_EQ(same.starts, of_items.starts);
    EXPECT_EQ(same.buckets, of_items.buckets);
  }
  for (Place item = 0; item < 6; ++item) {
    for (const std::uint32_t bucket : of_items[item]) {
      const auto members = buckets[bucket];
      EXPECT_NE(std::find(members.begin(), members.end(), item), members.end());
    }
  }
  EXPECT_TRUE(of_items[3].empty());
  EXPECT_TRUE(single_bucket(1).members.empty());
  EXPECT_EQ(single_bucket(3).members.size(), 3U);
}

// The components, bands and rows of a banding, and the trials it is put through.
struct PlantedTrial {
  SketchKind sketch;
  int components, bands, rows;
  int trials;
  std::uint64_t united;  // elements of both sets together
};

// Share of the pairs with `shared` common elements that share a band.
double candidate_rate(const PlantedTrial& trial, std::uint64_t shared) {
  std::vector<std::uint32_t> signature(static_cast<std::size_t>(trial.components));
  std::vector<std::uint64_t> a(static_cast<std::size_t>(trial.bands));
  std::vector<std::uint64_t> b(a.size());
  int met = 0;
  for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(trial.trials); ++number) {
    MinHasher hasher(trial.components, number % 16, trial.sketch);
    std::vector<std::uint64_t> left;
    std::vector<std::uint64_t> right;
    for (std::uint64_t i = 0; i < trial.united; ++i) {
      const std::uint64_t element = random64(number * 31 + trial.united, i);
      if (i < shared || i % 2 == 0) left.push_back(element);
      if (i < shared || i % 2 == 1) right.push_back(element);
    }
    hasher.sketch(left, signature);
    band_keys(signature, trial.rows, a);
    hasher.sketch(right, signature);
    band_keys(signature, trial.rows, b);
    bool meet = false;
    for (std::size_t band = 0; band < a.size(); ++band) meet |= a[band] == b[band];
    met += meet ? 1 : 0;
  }
  return static_cast<double>(met) / trial.trials;
}

// Checks that the S-curve holds from sets all the way to candidates. `slack`: allowance for
// components that are not quite independent.
void expect_s_curve(const PlantedTrial& trial, double slack) {
  for (const std::uint64_t percent : {30U, 50U, 60U, 70U, 80U}) {
    const std::uint64_t shared = trial.united * percent / 100;
    const double s = static_cast<double>(shared) / static_cast<double>(trial.united);
    const double law = candidate_probability(s, trial.bands, trial.rows);
    const double error = std::sqrt(law * (1 - law) / trial.trials);
    EXPECT_NEAR(candidate_rate(trial, shared), law, 4 * error + slack)
        << trial.bands << 'x' << trial.rows << " at " << s << " of " << trial.united;
  }
}

TEST(Banding, T4_4_CandidateRateFollowsTheSCurve) {
  // Bins filled in a single pass are not quite independent; the effect is up to 1.5 points for tiny
  // sets.
  constexpr double kSlack = 0.015;
  for (const std::uint64_t united : {40U, 400U}) {
    expect_s_curve({SketchKind::permfill, 128, 20, 5, 3000, united}, kSlack);
    expect_s_curve({SketchKind::permfill, 128, 16, 6, 3000, united}, kSlack);
    expect_s_curve({SketchKind::permfill, 64, 10, 4, 3000, united}, kSlack);
  }
}

TEST(Banding, T4_4_CandidateRateOfClassicMinhashFollowsTheSCurve) {
  // There are only 16 seeds, so many pairs are hashed by the same functions.
  constexpr double kSlack = 0.01;
  for (const std::uint64_t united : {40U, 100U}) {
    expect_s_curve({SketchKind::classic, 64, 10, 4, 3000, united}, kSlack);
    expect_s_curve({SketchKind::classic, 128, 20, 5, 1000, united}, kSlack);
  }
}

std::vector<Place> found(const KeyTable& table, std::uint64_t key) {
  std::vector<Place> items;
  table.for_each(key, [&](Place item) { items.push_back(item); });
  return items;
}

RC_GTEST_PROP(KeyTable, FindsWhatWasAddedTheLatestFirst, ()) {
  KeyTable table;
  std::map<std::uint64_t, std::vector<Place>> expected;
  const auto items = *rc::gen::inRange<Place>(0, 3000);
  for (Place item = 0; item < items; ++item) {
    const auto key = *rc::gen::inRange<std::uint64_t>(0, 200);
    table.add(key, item);
    expected[key].insert(expected[key].begin(), item);
  }
  for (std::uint64_t key = 0; key < 200; ++key) RC_ASSERT(found(table, key) == expected[key]);
}

TEST(KeyTable, RenumbersAndForgets) {
  KeyTable table;
  for (Place item = 0; item < 5000; ++item) table.add(item % 7, item);
  std::vector<Place> new_number(5000, kNoPlace);
  for (Place item = 0; item < 5000; item += 5) new_number[item] = item / 5;
  table.renumber(new_number);
  std::vector<Place> expected;
  for (Place item = 0; item < 5000; ++item) {
    if (item % 5 == 0 && item % 7 == 3) expected.insert(expected.begin(), item / 5);
  }
  EXPECT_EQ(found(table, 3), expected);
  table.renumber(std::vector<Place>(5000, kNoPlace));
  EXPECT_TRUE(found(table, 3).empty());
  table.add(3, 9);
  EXPECT_EQ(found(table, 3), std::vector<Place>{9});
}

TEST(KeyTable, IsEmptyAtFirst) { EXPECT_TRUE(found(KeyTable(), 1).empty()); }

}  // namespace
}  // namespace sosie
