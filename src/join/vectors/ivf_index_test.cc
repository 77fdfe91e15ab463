// Tests looking up vectors in inverted lists: recall of the nearest vectors, and correct results.
#include "join/vectors/ivf_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/kinds.h"
#include "join/vectors/vectors_test.h"

namespace sosie {
namespace {

using Neighbors = std::vector<std::vector<ScoredPair>>;

constexpr std::size_t kCloudDimension = 12;

VectorSettings settings_for(std::string_view measure, std::optional<double> recall) {
  Options options;
  options.kind = kVectorItems;
  options.measure = measure;
  options.given = {{"measure", std::string(measure)}};
  options.top = 1;
  VectorSettings settings = resolve_vectors(options, kQuery);
  settings.list_recall = recall;
  return settings;
}

// Points clustered around some others, like real vectors.
VectorColumn clouds(std::uint64_t seed, std::size_t rows) {
  std::vector<float> all;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t cloud = random64(seed, row) % 200;
    for (std::size_t i = 0; i < kCloudDimension; ++i) {
      const auto around = static_cast<float>(random64(7, cloud * kCloudDimension + i) % 1000);
      all.push_back(around +
                    static_cast<float>(random64(seed + 1, row * kCloudDimension + i) % 600));
    }
  }
  return {rows, kCloudDimension, std::move(all)};
}

Neighbors found_in(const IvfIndex& listed, const VectorColumn& asked, std::uint64_t most,
                   unsigned threads = 1) {
  ThreadPool pool(threads, nullptr);
  Neighbors found;
  listed.find(asked, most, pool, found);
  return found;
}

bool is_same(const ScoredPair& a, const ScoredPair& b) {
  return a.left == b.left && a.right == b.right && a.value == b.value;
}

bool are_same(const Neighbors& a, const Neighbors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), is_same);
  });
}

// Share of the nearest vectors that were found.
double recall_of(const Neighbors& found, const Neighbors& nearest) {
  double sum = 0;
  for (std::size_t row = 0; row < nearest.size(); ++row) {
    const auto there = std::count_if(nearest[row].begin(), nearest[row].end(), [&](const auto& x) {
      return std::any_of(found[row].begin(), found[row].end(),
                         [&](const auto& y) { return is_same(x, y); });
    });
    sum += static_cast<double>(there) / static_cast<double>(nearest[row].size());
  }
  return sum / static_cast<double>(nearest.size());
}

class ListedVectorsTest : public testing::TestWithParam<std::string_view> {};

TEST_P(ListedVectorsTest, FindThePartThatIsAskedFor) {
  ThreadPool pool(2, nullptr);
  const VectorColumn data = clouds(1, 8'000);
  const VectorColumn asked = clouds(3, 500);
  const VectorSettings exact = settings_for(GetParam(), std::nullopt);
  const IvfIndex whole(data, exact, pool);
  EXPECT_FALSE(whole.probing(10));
  for (const double recall : {0.8, 0.95}) {
    const VectorSettings settings = settings_for(GetParam(), recall);
    const IvfIndex listed(data, settings, pool);
    for (const std::uint64_t most : {1U, 10U, 60U}) {
      const auto probing = listed.probing(most);
      ASSERT_TRUE(probing) << recall;
      EXPECT_LT(probing->lists, probing->of / 2);
      EXPECT_GE(probing->recall, recall);
      const Neighbors found = found_in(listed, asked, most);
      const double is = recall_of(found, found_in(whole, asked, most));
      // The recall was measured on other rows than these; if fewer neighbours are requested, they
      // are easier to find.
      EXPECT_GE(is, recall - 0.02) << most;
      EXPECT_TRUE(most == 1 || is < 1) << "all of them: then the lists are not looked into";
      EXPECT_TRUE(are_same(found, found_in(listed, asked, most, 3)));
    }
    // Lists are not made for more neighbours than this.
    EXPECT_FALSE(listed.probing(IvfIndex::kMostListed + 1));
    EXPECT_TRUE(are_same(found_in(listed, asked, 150), found_in(whole, asked, 150)));
    EXPECT_TRUE(
        are_same(found_in(listed, asked, 10), found_in(IvfIndex(data, settings, pool), asked, 10)));
  }
}

INSTANTIATE_TEST_SUITE_P(Measures, ListedVectorsTest,
                         testing::Values("cosine", "euclidean", "manhattan"));

TEST(ListedVectorsTest, AreNoListsOfFewVectors) {
  ThreadPool pool(1, nullptr);
  const VectorColumn data = clouds(1, 4095);
  const VectorSettings settings = settings_for("cosine", 0.5);
  EXPECT_FALSE(IvfIndex(data, settings, pool).probing(10));
}

TEST(ListedVectorsTest, FindEqualVectorsInTheirOrder) {
  ThreadPool pool(1, nullptr);
  for (const ComponentType type : kComponentTypes) {
    VectorColumn data = random_vectors(1, 1, 3, type).column;
    std::visit(
        [](auto& components) {
          const auto one = components;
          for (int i = 1; i < 5000; ++i)
            components.insert(components.end(), one.begin(), one.end());
        },
        data.components);
    data.rows = 5000;
    const VectorSettings settings = settings_for("euclidean", 0.9);
    const IvfIndex listed(data, settings, pool);
    const Neighbors found = found_in(listed, random_vectors(1, 1, 3, type).column, 10);
    ASSERT_EQ(found.front().size(), 10);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(found.front()[i].right, i);
  }
}

}  // namespace
}  // namespace sosie
