// Tests of the nearest records, compared with cosines by definition.
#include "candidates/nearest_records.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/mix64.h"

namespace sosie {
namespace {

using Sets = std::vector<std::set<std::uint64_t>>;

HashedSets hashed_lists(const Sets& sets) {
  HashedSets out;
  for (const auto& set : sets) {
    out.hashes.insert(out.hashes.end(), set.begin(), set.end());
    out.starts.push_back(out.hashes.size());
  }
  return out;
}

// Cosines of one set with all others, by definition.
std::vector<double> cosines(const Sets& sets, std::size_t of, bool weighted) {
  std::map<std::uint64_t, double> frequency;
  double all = 0;
  for (const auto& set : sets) {
    all += set.empty() ? 0 : 1;
    for (const std::uint64_t element : set) frequency[element] += 1;
  }
  const auto square = [&](std::uint64_t element) {
    return weighted ? std::pow(std::log(1 + all / frequency[element]), 2) : 1;
  };
  const auto product = [&](const auto& a, const auto& b) {
    double sum = 0;
    for (const std::uint64_t element : a) sum += b.count(element) > 0 ? square(element) : 0;
    return sum;
  };
  std::vector<double> found;
  for (const auto& set : sets) {
    const double lengths = product(sets[of], sets[of]) * product(set, set);
    found.push_back(lengths == 0 ? 0 : product(sets[of], set) / std::sqrt(lengths));
  }
  return found;
}

RC_GTEST_PROP(NearestRecords, FindTheGreatestCosines, (bool weighted, bool across, bool alike)) {
  // With few elements, most sets are equal to some others.
  const std::uint64_t elements = alike ? 3 : 40;
  const auto sets =
      *rc::gen::resize(30, rc::gen::container<Sets>(rc::gen::container<std::set<std::uint64_t>>(
                               rc::gen::inRange<std::uint64_t>(0, elements))));
  const auto most = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto split = across ? static_cast<std::uint32_t>(sets.size() / 2) : 0;
  ThreadPool pool(2, nullptr);
  NearestRecords lists(hashed_lists(sets), split,
                       {weighted ? ElementWeight::rare : ElementWeight::equal}, pool);
  std::vector<std::uint32_t> all(sets.size());
  std::iota(all.begin(), all.end(), 0U);
  lists.find(all, most, pool);
  for (std::uint32_t record = 0; record < sets.size(); ++record) {
    const std::vector<double> cosine = cosines(sets, record, weighted);
    std::vector<double> expected;
    for (std::uint32_t other = 0; other < sets.size(); ++other) {
      const bool may_be = split == 0 ? other != record : (other < split) != (record < split);
      if (may_be && cosine[other] > 0) expected.push_back(cosine[other]);
    }
    std::sort(expected.rbegin(), expected.rend());
    expected.resize(std::min<std::size_t>(expected.size(), most));
    std::vector<double> found;
    for (const std::uint32_t other : lists.of(record)) found.push_back(cosine[other]);
    RC_ASSERT(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      RC_ASSERT(std::abs(found[i] - expected[i]) < 1e-9);
    }
  }
}

// Groups of 12 sets that share some rare elements; all sets also share many common elements of low
// weight.
Sets groups_with_common_elements(std::uint64_t groups) {
  constexpr std::uint64_t kOfGroup = 12;
  constexpr std::uint64_t kRareOfGroup = 20;
  constexpr std::uint64_t kCommon = 30;
  Sets sets;
  for (std::uint64_t i = 0; i < groups * kOfGroup; ++i) {
    std::set<std::uint64_t>& set = sets.emplace_back();
    std::uint64_t draw = mix64(i + 1);
    while (set.size() < 8) {
      draw = mix64(draw);
      set.insert(kCommon + i / kOfGroup * kRareOfGroup + draw % kRareOfGroup);
    }
    while (set.size() < 23) set.insert((draw = mix64(draw)) % kCommon);
  }
  return sets;
}

TEST(NearestRecords, PrunedSetsFindNearlyAllWithATenthOfTheWork) {
  const Sets sets = groups_with_common_elements(100);
  std::vector<std::uint32_t> all(sets.size());
  std::iota(all.begin(), all.end(), 0U);
  ThreadPool pool(2, nullptr);
  NearestRecords exact(hashed_lists(sets), 0, {}, pool);
  NearestRecords pruned(hashed_lists(sets), 0, {.pruned = 0.2, .cheap_steps = 0}, pool);
  exact.find(all, 10, pool);
  pruned.find(all, 10, pool);
  std::size_t kept = 0;
  std::size_t of = 0;
  for (const std::uint32_t record : all) {
    const auto found = pruned.of(record);
    for (const std::uint32_t partner : exact.of(record)) {
      ++of;
      kept += std::find(found.begin(), found.end(), partner) != found.end() ? 1 : 0;
    }
  }
  EXPECT_EQ(of, 10 * sets.size());
  EXPECT_GE(static_cast<double>(kept), 0.97 * static_cast<double>(of));
  EXPECT_LE(10 * pruned.steps(), exact.steps());
}

// A search that reaches few of many sets lists these sets; a search that reaches most sets scans
// all of them.
TEST(NearestRecords, AreFoundAlikeWhereASearchMeetsFewOfManySets) {
  Sets sets;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    std::set<std::uint64_t>& set = sets.emplace_back();
    for (std::uint64_t k = 0; k < 4; ++k) set.insert(random64(i / 20, k * 5 + random64(i, k) % 5));
  }
  std::vector<std::uint32_t> some(40);
  std::iota(some.begin(), some.end(), 0U);
  std::vector<std::vector<std::uint32_t>> found;
  for (const std::size_t count : {sets.size(), some.size()}) {
    ThreadPool pool(2, nullptr);
    // These weights do not depend on the number of sets.
    NearestRecords lists(hashed_lists({sets.begin(), sets.begin() + static_cast<int>(count)}), 0,
                         {ElementWeight::equal}, pool);
    lists.find(some, 5, pool);
    for (const std::uint32_t record : some) {
      const auto of = lists.of(record);
      found.emplace_back(of.begin(), of.end());
      EXPECT_EQ(of.size(), 5U);
    }
  }
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  EXPECT_TRUE(std::equal(found.begin(), middle, middle));
}

TEST(NearestRecords, SetsArePrunedWhereAllOfThemTakeManySteps) {
  const Sets sets = groups_with_common_elements(20);
  std::vector<std::uint32_t> all(sets.size());
  std::iota(all.begin(), all.end(), 0U);
  ThreadPool pool(1, nullptr);
  const auto steps = [&](const NearestSearch& search) {
    NearestRecords lists(hashed_lists(sets), 0, search, pool);
    lists.find(all, 10, pool);
    return lists.steps();
  };
  EXPECT_EQ(steps({.pruned = 0.2}), steps({}));
  EXPECT_LT(steps({.pruned = 0.2, .cheap_steps = 100'000}), steps({}));
}

TEST(NearestRecords, PrunedSetsAreRankedByTheWholeCosineForAnyThreads) {
  const Sets sets = groups_with_common_elements(20);
  std::vector<std::uint32_t> all(sets.size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::vector<std::uint32_t>> expected;
  for (const unsigned threads : {1U, 5U}) {
    ThreadPool pool(threads, nullptr);
    NearestRecords lists(hashed_lists(sets), 0, {.pruned = 0.2, .cheap_steps = 0}, pool);
    lists.find(all, 10, pool);
    for (const std::uint32_t record : all) {
      const std::vector<double> cosine = cosines(sets, record, /*weighted=*/true);
      const auto found = lists.of(record);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                                 [&](auto a, auto b) { return cosine[a] > cosine[b] + 1e-9; }));
      if (threads == 1) {
        expected.emplace_back(found.begin(), found.end());
      } else {
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected[record].begin(),
                               expected[record].end()));
      }
    }
  }
}

TEST(NearestRecords, EqualSetsComeInInputOrderWithoutTheRecordItself) {
  using Records = std::vector<std::uint32_t>;
  const HashedSets sets = hashed_lists({{1, 2}, {1, 3}, {1, 2}, {1, 2}, {1, 3}, {1, 2}, {1, 2}});
  const Records all = {0, 1, 2, 3, 4, 5, 6};
  ThreadPool pool(1, nullptr);
  const auto found = [&](std::uint32_t split, std::uint32_t most, std::uint32_t record) {
    NearestRecords lists(sets, split, {}, pool);
    lists.find(all, most, pool);
    return Records(lists.of(record).begin(), lists.of(record).end());
  };
  EXPECT_EQ(found(0, 3, 3), (Records{0, 2, 5}));
  EXPECT_EQ(found(0, 3, 6), (Records{0, 2, 3}));
  EXPECT_EQ(found(0, 3, 1), (Records{4, 0, 2}));
  EXPECT_EQ(found(0, 5, 0), (Records{2, 3, 5, 6, 1}));
  EXPECT_EQ(found(4, 3, 0), (Records{5, 6, 4}));
  EXPECT_EQ(found(4, 3, 4), (Records{1, 0, 2}));
}

TEST(NearestRecords, ListsEachPairOnceUnderTheLowerRecord) {
  ThreadPool pool(1, nullptr);
  NearestRecords lists(hashed_lists({{1, 2}, {1, 2}, {9}, {}}), 0, {ElementWeight::equal}, pool);
  const std::vector<std::uint32_t> all = {0, 1, 2, 3};
  lists.find(all, 3, pool);
  const PartnerLists pairs = lists.pairs();
  ASSERT_EQ(pairs.partners.size(), 1U);
  EXPECT_EQ(pairs[0].front(), 1U);
  EXPECT_TRUE(pairs[1].empty());
}

}  // namespace
}  // namespace sosie
