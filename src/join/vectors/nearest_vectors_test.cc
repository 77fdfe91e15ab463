// Tests of the nearest rows of each vector, compared with sorting all of them.
#include "join/vectors/nearest_vectors.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/vectors/vectors_test.h"

namespace sosie {
namespace {

// The `most` nearest right rows of each left row, sorted by rows; ties are broken by input order.
ValuedPairs nearest_of(const TestSides& sides, const VectorMeasure& measure, std::uint64_t most) {
  std::vector<std::vector<ScoredPair>> of_left(sides.left.size());
  sides.for_each_pair([&](std::uint32_t i, std::uint32_t j) {
    of_left[i].push_back({i, j, measure.value(sides.sums(measure, i, j))});
  });
  ValuedPairs nearest;
  for (auto& pairs : of_left) {
    std::sort(pairs.begin(), pairs.end(), IsNearer{measure.is_similarity});
    if (pairs.size() > most) pairs.resize(most);
    add_to(nearest)(pairs);
  }
  std::sort(nearest.begin(), nearest.end());
  return nearest;
}

struct NearestHits {
  ValuedPairs pairs;
  std::uint64_t measured = 0;
};

NearestHits search(const VectorSearchTask& task, unsigned threads) {
  ThreadPool pool(threads, nullptr);
  NearestHits found;
  std::uint32_t last = 0;
  std::size_t done = 0;
  found.measured = nearest_vectors(
      task, pool, [&](std::size_t rows) { done = rows; },
      [&](std::span<const ScoredPair> pairs) {
        for (const ScoredPair& pair : pairs) {
          EXPECT_GE(pair.left, last) << "left rows come in input order";
          last = pair.left;
        }
        add_to(found.pairs)(pairs);
      });
  EXPECT_EQ(done, task.right.size() == 0 ? 0 : task.left.size());
  std::sort(found.pairs.begin(), found.pairs.end());
  return found;
}

RC_GTEST_PROP(NearestVectors, AreTheFirstOfAllByValueThenOrder, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 150);
  const auto others = *rc::gen::inRange<std::size_t>(0, 150);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 71);
  const TestVectors vectors = random_vectors(*rc::gen::arbitrary<std::uint64_t>(), rows + others,
                                             dimension, *rc::gen::elementOf(kComponentTypes));
  const VectorMeasure measure = *vector_measure(*rc::gen::elementOf(kVectorMeasures));
  const bool is_self = *rc::gen::arbitrary<bool>();
  TestSides sides{vectors.all(), std::nullopt};
  if (!is_self) sides = {vectors.all().part(0, rows), vectors.all().part(rows, rows + others)};
  VectorSearchTask task{.left = sides.left,
                        .right = sides.right.value_or(sides.left),
                        .is_self = is_self,
                        .measure = &measure,
                        .most = *rc::gen::element<std::uint64_t>(1, 2, 10, 1000),
                        .filter = measure.can_filter && *rc::gen::inRange(0, 4) > 0,
                        .memory_share = {}};
  const ValuedPairs expected = nearest_of(sides, measure, task.most);
  const NearestHits whole = search(task, 1);
  RC_ASSERT(whole.pairs == expected);
  task.memory_share = {0, *rc::gen::element<std::uint64_t>(1, 100'000)};
  const NearestHits parts = search(task, *rc::gen::inRange(1U, 5U));
  RC_ASSERT(parts.pairs == expected);
  RC_ASSERT(parts.measured == whole.measured);
}

// There are enough right rows for the first of them to set limits for the others.
TEST(NearestVectors, NeedFewMeasurementsAmongManyRows) {
  const TestVectors vectors = random_vectors(5, 6000, 24, ComponentType::float32);
  for (const std::string_view name : {"euclidean", "cosine", "angle", "manhattan"}) {
    const VectorMeasure measure = *vector_measure(name);
    const TestSides sides{vectors.all().part(0, 100), vectors.all()};
    VectorSearchTask task{.left = sides.left,
                          .right = *sides.right,
                          .measure = &measure,
                          .most = 3,
                          .memory_share = {}};
    const ValuedPairs expected = nearest_of(sides, measure, 3);
    for (const std::uint64_t panel_bytes : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      task.memory_share.panel_bytes = panel_bytes;
      const NearestHits found = search(task, 2);
      EXPECT_EQ(found.pairs, expected) << name;
      EXPECT_LT(found.measured, 600'000U / 2) << name;
    }
    task.filter = false;
    const NearestHits all = search(task, 2);
    EXPECT_EQ(all.pairs, expected) << name;
    EXPECT_EQ(all.measured, 600'000U) << name;
  }
}

TEST(NearestVectors, OfEqualRowsAreTheFirst) {
  const VectorColumn column{200, 3, std::vector<std::int8_t>(600, 7)};
  const TestVectors vectors = with_squares(column);
  const VectorMeasure measure = *vector_measure("cosine");
  const NearestHits found = search({.left = vectors.all().part(150, 151),
                                    .right = vectors.all(),
                                    .measure = &measure,
                                    .most = 3,
                                    .memory_share = {}},
                                   1);
  EXPECT_EQ(found.pairs, (ValuedPairs{{0, 0, 1}, {0, 1, 1}, {0, 2, 1}}));
}

}  // namespace
}  // namespace sosie
