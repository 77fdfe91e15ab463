// Tests of the exact join of vectors, compared with a double loop over the measure's definition.
#include "join/vectors/vector_join.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/vectors/vectors_test.h"

namespace sosie {
namespace {

struct JoinedVectors {
  ValuedPairs pairs;
  VectorJoinCounts counts;
};

JoinedVectors join(VectorJoinTask task, unsigned threads) {
  Scratch scratch("/tmp");
  ThreadPool pool(threads, nullptr);
  task.scratch = &scratch;
  JoinedVectors joined;
  std::size_t done = 0;
  joined.counts = join_vectors(
      task, pool,
      [&](std::size_t rows) {
        EXPECT_GT(rows, done);
        done = rows;
      },
      add_to(joined.pairs));
  EXPECT_EQ(done, task.right && task.right->size() == 0 ? 0 : task.left.size());
  return joined;
}

VectorJoinTask task_of(const TestSides& sides, const VectorMeasure& measure,
                       const Rational& bound) {
  return {.left = sides.left,
          .right = sides.right,
          .measure = &measure,
          .bound = bound,
          .memory_share = {}};
}

// Either enough memory for everything, or so little that right rows are processed in parts and
// pairs go to scratch.
auto any_memory() {
  return decltype(VectorJoinTask::memory_share){
      *rc::gen::element<std::uint64_t>(0, ~std::uint64_t{0}),
      *rc::gen::element<std::uint64_t>(1, 3000, 1 << 20)};
}

RC_GTEST_PROP(VectorJoins, FindThePairsOfADoubleLoop, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 150);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 71);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const TestVectors vectors =
      random_vectors(seed, rows, dimension, *rc::gen::elementOf(kComponentTypes));
  const VectorMeasure measure = *vector_measure(*rc::gen::elementOf(kVectorMeasures));
  // Rows of both sides in any order, some of them in both lists.
  std::vector<std::uint32_t> lists[2];
  for (auto& list : lists) {
    for (std::size_t i = 0; i < rows; ++i) {
      list.push_back(static_cast<std::uint32_t>(random64(seed + 1, i + list.size()) % rows));
    }
  }
  TestSides sides{vectors.all(), std::nullopt};
  if (*rc::gen::arbitrary<bool>()) {
    sides.left = some_of(vectors.column, vectors.squares, lists[0]);
    sides.right = some_of(vectors.column, vectors.squares, lists[1])
                      .part(0, *rc::gen::inRange<std::size_t>(0, rows + 1));
  }
  const Rational bound = bound_at(
      sides, measure, 0,
      sides.right && sides.right->size() == 0 ? 0 : sides.right.value_or(sides.left).size() - 1);
  const ValuedPairs expected = pairs_within(sides, measure, bound);

  VectorJoinTask task = task_of(sides, measure, bound);
  task.filter = measure.can_filter && *rc::gen::inRange(0, 4) > 0;
  const JoinedVectors whole = join(task, 1);
  RC_ASSERT(whole.pairs == expected);
  RC_ASSERT(whole.counts.found == expected.size());
  RC_ASSERT(whole.counts.candidates >= expected.size());
  if (!task.filter) {
    std::uint64_t all = 0;
    sides.for_each_pair([&](auto, auto) { ++all; });
    RC_ASSERT(whole.counts.candidates == all);
  }
  task.memory_share = any_memory();
  task.pairs_a_row = *rc::gen::element<double>(0, 3, 1e6);
  const JoinedVectors parts = join(task, *rc::gen::inRange(1U, 5U));
  RC_ASSERT(parts.pairs == expected);
  RC_ASSERT(parts.counts.candidates == whole.counts.candidates);
  task.only_count = true;
  const JoinedVectors counted = join(task, 2);
  RC_ASSERT(counted.pairs.empty());
  RC_ASSERT(counted.counts.found == expected.size());
}

// Few panels of wide rows fit in the cache, so there are many chunks; with little memory, only one
// at a time.
TEST(VectorJoins, AreTheSameInPartsOfTheRightRows) {
  const TestVectors vectors = random_vectors(3, 300, 2500, ComponentType::int8);
  const VectorMeasure measure = *vector_measure("manhattan");
  for (const bool across : {false, true}) {
    TestSides sides{vectors.all(), std::nullopt};
    if (across) sides = {vectors.all().part(0, 100), vectors.all().part(100, 300)};
    const Rational bound = {300, 1};
    const ValuedPairs expected = pairs_within(sides, measure, bound);
    EXPECT_GT(expected.size(), 100U);
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{600'000}, ~std::uint64_t{0}}) {
      VectorJoinTask task = task_of(sides, measure, bound);
      task.memory_share = {bytes, 1 << 16};
      EXPECT_EQ(join(task, 3).pairs, expected) << bytes;
    }
  }
}

// Next to a very large component, 8 bits cannot distinguish these components.
TEST(VectorJoins, LoseNothingWhereOneRowIsFarLonger) {
  for (const std::string_view name : kVectorMeasures) {
    const VectorMeasure measure = *vector_measure(name);
    TestVectors vectors = random_vectors(8, 100, 20, ComponentType::float64);
    std::get<std::vector<double>>(vectors.column.components)[7] = 1e7;
    vectors = with_squares(std::move(vectors.column));
    const TestSides sides{vectors.all(), std::nullopt};
    for (const std::size_t other : {std::size_t{50}, std::size_t{99}}) {
      VectorJoinTask task = task_of(sides, measure, bound_at(sides, measure, 20, other));
      task.filter = measure.can_filter;
      EXPECT_EQ(join(task, 2).pairs, pairs_within(sides, measure, task.bound)) << name;
    }
  }
}

TEST(VectorJoins, TakePairsAtTheBound) {
  VectorColumn column{4, 2, std::vector<std::uint8_t>{0, 0, 3, 4, 0, 5, 200, 200}};
  const TestVectors vectors = with_squares(column);
  const TestSides sides{vectors.all(), std::nullopt};
  const VectorMeasure euclidean = *vector_measure("euclidean");
  EXPECT_EQ(
      join(task_of(sides, euclidean, {5, 1}), 1).pairs,
      (ValuedPairs{{0, 1, 5}, {0, 2, 5}, {1, 2, euclidean.value(sides.sums(euclidean, 1, 2))}}));
  EXPECT_EQ(join(task_of(sides, euclidean, {49999, 10000}), 1).pairs.size(), 1U);
  const VectorMeasure manhattan = *vector_measure("manhattan");
  EXPECT_EQ(join(task_of(sides, manhattan, {4, 1}), 1).pairs, (ValuedPairs{{1, 2, 4}}));
}

TEST(VectorJoins, KeepWhatPruningLeaves) {
  const TestVectors vectors = random_vectors(4, 300, 6, ComponentType::uint8);
  const VectorMeasure measure = *vector_measure("euclidean");
  const TestSides sides{vectors.all(), std::nullopt};
  VectorJoinTask task = task_of(sides, measure, {1000, 1});
  task.memory_share.pair_bytes = 1 << 12;
  task.prune = [](std::vector<ScoredPair>& pairs) {
    std::erase_if(pairs, [](const ScoredPair& pair) { return pair.value > 0; });
  };
  ValuedPairs equal = join(task, 2).pairs;
  std::erase_if(equal, [](const auto& pair) { return std::get<2>(pair) > 0; });
  EXPECT_EQ(equal, pairs_within(sides, measure, {0, 1}));
}

TEST(EstimatedPairs, AreNeverMoreThanThereAre) {
  for (const std::string_view name : {"euclidean", "cosine", "dot"}) {
    const VectorMeasure measure = *vector_measure(name);
    for (const bool across : {false, true}) {
      const TestVectors vectors = random_vectors(21, 900, 8, ComponentType::int8);
      TestSides sides{vectors.all(), std::nullopt};
      if (across) sides = {vectors.all().part(0, 500), vectors.all().part(500, 900)};
      VectorJoinTask task = task_of(sides, measure, bound_at(sides, measure, 3, 7));
      const auto found = static_cast<double>(join(task, 2).counts.found);
      ThreadPool pool(2, nullptr);
      estimate_pairs(task, 5, pool);
      EXPECT_LE(static_cast<double>(task.least_pairs), found) << name;
      EXPECT_GT(static_cast<double>(task.least_pairs), 0.01 * found) << name;
      // Within one collection, a pair is found in both of its rows, and each row is found with
      // itself.
      const double in_rows = across ? found : 2 * found + 900;
      const double predicted = task.pairs_a_row * static_cast<double>(task.left.size());
      EXPECT_GT(predicted, 0.5 * in_rows) << name;
      EXPECT_LT(predicted, 2 * in_rows) << name;
    }
  }
}

// Half of the rows are sampled, including both rows of many pairs.
TEST(EstimatedPairs, OfOneCollectionAreCountedOnce) {
  const VectorMeasure measure = *vector_measure("manhattan");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const TestVectors vectors = random_vectors(seed, 140, 8, ComponentType::int8);
    VectorJoinTask task = task_of({vectors.all(), std::nullopt}, measure, {12, 1});
    ThreadPool pool(1, nullptr);
    estimate_pairs(task, seed, pool);
    const std::uint64_t found = join(task, 1).counts.found;
    EXPECT_LE(task.least_pairs, found);
    EXPECT_GT(task.least_pairs, found / 4);
  }
}

TEST(EstimatedPairs, OfFewRowsAreNotLookedFor) {
  const TestVectors vectors = random_vectors(2, 128, 4, ComponentType::int8);
  const VectorMeasure measure = *vector_measure("euclidean");
  VectorJoinTask task = task_of({vectors.all(), std::nullopt}, measure, {100, 1});
  ThreadPool pool(1, nullptr);
  estimate_pairs(task, 1, pool);
  EXPECT_EQ(task.pairs_a_row, 0);
  EXPECT_EQ(task.least_pairs, 0U);
}

}  // namespace
}  // namespace sosie
