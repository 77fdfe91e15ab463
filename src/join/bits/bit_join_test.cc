// Tests of the exact joins of bit strings, compared with a double loop over their bits.
#include "join/bits/bit_join.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "join/bits/bits_test.h"
#include "join/grouped_join.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kEnough = std::uint64_t{1} << 26;

struct Joined {
  ValuedPairs pairs;
  BitJoinCounts counts;
};

Joined join(BitJoinTask task, unsigned threads) {
  Scratch scratch("/tmp");
  ThreadPool pool(threads, nullptr);
  task.scratch = &scratch;
  if (task.memory_bytes == 0) task.memory_bytes = kEnough;
  Joined joined;
  joined.counts = join_bits(task, pool, add_to(joined.pairs));
  return joined;
}

std::uint64_t pairs_of(const JoinSides& sides) {
  std::uint64_t pairs = 0;
  for_each_pair(sides, [&](RowId, RowId) { ++pairs; });
  return pairs;
}

// Rows within one range, or between two ranges in either order.
JoinSides any_sides(RowId rows) {
  const auto split = *rc::gen::inRange<RowId>(0, rows + 1);
  const auto begin = *rc::gen::inRange<RowId>(0, split + 1);
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return {{begin, rows}};
    case 1:
      return {{begin, split}, RowRange{split, rows}};
    default:
      return {{split, rows}, RowRange{begin, split}};
  }
}

RC_GTEST_PROP(BitJoins, FindThePairsOfADoubleLoop, ()) {
  const auto bits = *rc::gen::inRange<std::size_t>(1, 201);
  const auto rows = *rc::gen::inRange<RowId>(0, 150);
  const BitColumn column = random_bits(*rc::gen::arbitrary<std::uint64_t>(), rows, bits);
  const bool jaccard = *rc::gen::inRange(0, 3) == 0;
  const BitMeasure measure = *bit_measure(jaccard ? "jaccard" : "hamming");
  const Rational bound =
      jaccard ? *rc::gen::element(Rational{1, 1}, Rational{4, 5}, Rational{1, 3}, Rational{1, 50})
              : *rc::gen::element(Rational{0, 1}, Rational{1, 1}, Rational{7, 2}, Rational{9, 1},
                                  Rational{bits - 1, 1}, Rational{bits, 1}, Rational{bits + 9, 1});
  BitJoinTask task{.column = &column,
                   .sides = any_sides(rows),
                   .measure = &measure,
                   .bound = bound,
                   .brute = *rc::gen::arbitrary<bool>()};
  const ValuedPairs expected = pairs_within(column, task.sides, measure, bound);
  const Joined joined = join(task, *rc::gen::inRange(1U, 4U));
  RC_ASSERT(joined.pairs == expected);
  RC_ASSERT(joined.counts.indexed || joined.counts.candidates == pairs_of(task.sides));
  task.memory_bytes = 1 << 16;  // pairs go to scratch
  RC_ASSERT(joined.counts.indexed || join(task, 2).pairs == expected);
  if (expected.empty()) return;
  task.memory_bytes = kEnough;
  task.limit = expected.size();
  RC_ASSERT(join(task, 2).pairs == expected);
  task.limit = expected.size() - 1;
  if (task.limit > 0) RC_ASSERT_THROWS_AS(join(task, 2), Error);
}

// There are enough rows that blocks of bits cost less than comparing all pairs.
TEST(BitJoins, ByAnIndexFindWhatAScanFinds) {
  constexpr RowId kRows = 3000;
  const BitMeasure measure = *bit_measure("hamming");
  const JoinSides all_sides[] = {
      {{0, kRows}}, {{1000, kRows}, RowRange{0, 1000}}, {{0, 1500}, RowRange{1500, 2990}}};
  std::size_t indexed = 0;
  for (const std::size_t bits : {64U, 100U, 193U}) {
    const BitColumn column = random_bits(bits, kRows, bits);
    for (const JoinSides& sides : all_sides) {
      for (const std::uint64_t radius : {0U, 1U, 2U}) {
        BitJoinTask task{
            .column = &column, .sides = sides, .measure = &measure, .bound = {radius, 1}};
        const Joined joined = join(task, 2);
        EXPECT_EQ(joined.counts.indexed, costs_of_joins(task).index < costs_of_joins(task).scan);
        if (!joined.counts.indexed) continue;
        ++indexed;
        EXPECT_LT(joined.counts.candidates, pairs_of(sides) / 2);
        task.brute = true;
        const Joined scanned = join(task, 1);
        EXPECT_FALSE(scanned.counts.indexed);
        EXPECT_EQ(scanned.counts.candidates, pairs_of(sides));
        EXPECT_GT(scanned.pairs.size(), 200U);
        EXPECT_EQ(joined.pairs, scanned.pairs) << bits << " " << radius;
      }
    }
  }
  EXPECT_GT(indexed, 15U);
}

TEST(BitJoins, ByAnIndexOfSomeBlocksAtATimeFindTheSamePairs) {
  constexpr RowId kRows = 30'000;
  const BitColumn column = random_bits(5, kRows, 64);
  const BitMeasure measure = *bit_measure("hamming");
  BitJoinTask task{.column = &column, .sides = {{0, kRows}}, .measure = &measure, .bound = {3, 1}};
  const Joined whole = join(task, 2);
  EXPECT_TRUE(whole.counts.indexed);
  EXPECT_GT(whole.pairs.size(), 10'000U);
  task.memory_bytes = 3'700'000;
  EXPECT_EQ(memory_for_bands({kRows, 4, column.data.size() * 8, task.memory_bytes, 3}).bands_kept,
            2U);
  const Joined in_parts = join(task, 3);
  EXPECT_TRUE(in_parts.pairs == whole.pairs);
  EXPECT_EQ(in_parts.counts.candidates, whole.counts.candidates);
}

TEST(BitJoins, HaveNoIndexWhereItTellsNothing) {
  const BitColumn column = random_bits(1, 50, 20);
  const BitMeasure hamming = *bit_measure("hamming");
  const BitMeasure jaccard = *bit_measure("jaccard");
  const auto index_cost = [&](const BitMeasure& measure, const Rational& bound, bool brute) {
    return costs_of_joins({.column = &column,
                           .sides = {{0, 50}},
                           .measure = &measure,
                           .bound = bound,
                           .brute = brute,
                           .memory_bytes = kEnough})
        .index;
  };
  EXPECT_TRUE(std::isfinite(index_cost(hamming, {19, 1}, false)));
  EXPECT_TRUE(std::isinf(index_cost(hamming, {20, 1}, false)));
  EXPECT_TRUE(std::isinf(index_cost(hamming, {3, 1}, true)));
  EXPECT_TRUE(std::isfinite(index_cost(jaccard, {1, 2}, false)));
  EXPECT_TRUE(std::isinf(index_cost(jaccard, {1, 2}, true)));
  EXPECT_TRUE(std::isinf(index_cost(jaccard, {0, 1}, false)));
}

// Strings with at most this many ones, in groups of four similar strings, one from each quarter of
// the rows.
BitColumn sparse_bits(std::size_t rows, std::size_t bits, std::size_t ones) {
  BitColumn column{rows, bits, bits / 64, std::vector<std::uint64_t>(rows * bits / 64)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < ones; ++i) {
      const std::size_t group = row % (rows / 4);
      const std::uint64_t bit = random64(i > row * 4 / rows ? group : row, i) % bits;
      column.data[row * column.words + bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
  return column;
}

// If few of many bits are ones, a prefix is rare; if many of few bits are, it is in most sets.
TEST(BitJoins, OfSetsFindWhatAScanFindsByAnIndexOfPrefixes) {
  constexpr RowId kRows = 3000;
  const BitMeasure measure = *bit_measure("jaccard");
  const JoinSides all_sides[] = {
      {{0, kRows}}, {{1000, kRows}, RowRange{0, 1000}}, {{0, 1500}, RowRange{1500, 2990}}};
  for (const bool sparse : {true, false}) {
    const BitColumn column = sparse ? sparse_bits(kRows, 2048, 50) : random_bits(3, kRows, 64);
    for (const JoinSides& sides : all_sides) {
      for (const Rational bound : {Rational{9, 10}, Rational{3, 4}}) {
        BitJoinTask task{.column = &column,
                         .sides = sides,
                         .measure = &measure,
                         .bound = bound,
                         .memory_bytes = kEnough};
        const Joined joined = join(task, 2);
        EXPECT_EQ(joined.counts.indexed, sparse);
        if (sparse) {
          EXPECT_LT(joined.counts.candidates, pairs_of(sides) / 10);
        }
        task.memory_bytes = 1 << 20;  // too little for the index
        EXPECT_EQ(join(task, 3).pairs, joined.pairs);
        task.brute = true;
        const Joined scanned = join(task, 1);
        EXPECT_FALSE(scanned.counts.indexed);
        EXPECT_EQ(scanned.counts.candidates, pairs_of(sides));
        EXPECT_GT(scanned.pairs.size(), 20U);
        EXPECT_EQ(joined.pairs, scanned.pairs);
      }
    }
  }
}

RC_GTEST_PROP(NearestBits, AreTheFirstOfAllByValueThenOrder, ()) {
  const auto rows = *rc::gen::inRange<RowId>(1, 100);
  const BitColumn column = random_bits(*rc::gen::arbitrary<std::uint64_t>(), rows,
                                       *rc::gen::inRange<std::size_t>(1, 201));
  const BitMeasure measure = *bit_measure(*rc::gen::element<std::string>("jaccard", "hamming"));
  const JoinSides sides = any_sides(rows);
  const auto most = *rc::gen::element<std::size_t>(1, 3, 1000);
  std::vector<std::vector<ScoredPair>> of_left(rows);
  for_each_pair(sides, [&](RowId left, RowId right) {
    const BitCounts counts = counts_of(column, left, right);
    if (measure.is_of_sets && counts.united == 0) return;
    of_left[left].push_back({left, right, measure.value(counts)});
  });
  ValuedPairs expected;
  for (auto& pairs : of_left) {
    std::sort(pairs.begin(), pairs.end(), IsNearer{measure.is_similarity});
    pairs.resize(std::min(pairs.size(), most));
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return a.right < b.right; });
    add_to(expected)(pairs);
  }
  ThreadPool pool(*rc::gen::inRange(1U, 4U), nullptr);
  ValuedPairs found;
  (void)nearest_bits({.column = &column, .sides = sides, .measure = &measure, .bound = {}}, most,
                     pool, [&](std::span<const ScoredPair> pairs) {
                       std::vector<ScoredPair> of_row(pairs.begin(), pairs.end());
                       std::sort(of_row.begin(), of_row.end(), [](const auto& a, const auto& b) {
                         return sort_key(a) < sort_key(b);
                       });
                       add_to(found)(std::span<const ScoredPair>(of_row));
                     });
  RC_ASSERT(found == expected);
}

}  // namespace
}  // namespace sosie
