// Tests of candidates found by panel products, compared with the pairs within the bound.
#include "join/vectors/vector_filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "join/vectors/side_panels.h"
#include "join/vectors/vectors_test.h"
#include "kernels/products_reaching.h"
#include "sosie/error.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using Candidates = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The candidate pairs, by (left, right), collected over stretches of this many right panels.
Candidates candidates_of(const VectorFilter& filter, const TestSides& sides, std::size_t stretch) {
  Candidates found;
  const PanelMaker& maker = filter.maker();
  const VectorFilter::Panels lefts = filter.lefts({0, maker.left_count()});
  const VectorSubset& others = sides.right ? *sides.right : sides.left;
  for (std::size_t begin = 0; begin < maker.right_count(); begin += stretch) {
    const std::size_t end = std::min(maker.right_count(), begin + stretch);
    const VectorFilter::Panels rights = filter.rights({begin, end});
    std::vector<std::uint32_t> hits((end - begin) * kPanelVectors);
    for (std::size_t panel = 0; panel < maker.left_count(); ++panel) {
      VectorFilter::candidates(lefts, panel, rights, {0, end - begin}, hits);
      for (std::size_t at = 0; at < hits.size() * kPanelVectors; ++at) {
        const std::size_t x = at / kPanelVectors % kPanelVectors;
        const std::size_t i = panel * kPanelVectors + x;
        const std::size_t y = at % kPanelVectors;
        const std::size_t j = (begin + at / kPanelVectors / kPanelVectors) * kPanelVectors + y;
        const bool is_hit = (hits[at / kPanelVectors] >> y & 1U) != 0;
        if (is_hit && i < sides.left.size() && j < others.size()) found.emplace_back(i, j);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

RC_GTEST_PROP(VectorFilters, LetEveryPairPassThatReachesTheBound, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(1, 100);
  const TestVectors vectors =
      random_vectors(*rc::gen::arbitrary<std::uint64_t>(), rows,
                     *rc::gen::inRange<std::size_t>(1, 71), *rc::gen::elementOf(kComponentTypes));
  const VectorMeasure measure = *vector_measure(*rc::gen::elementOf(kVectorMeasures));
  RC_PRE(measure.can_filter);
  const auto split = *rc::gen::inRange<std::size_t>(0, rows);
  TestSides test{vectors.all(), std::nullopt};
  if (split > 0) test = {vectors.all().part(0, split), vectors.all().part(split, rows)};
  const VectorSides sides(test.left, test.right, measure);
  const Rational bound = bound_at(test, measure, 0, sides.right().size() / 2);
  ThreadPool pool(2, nullptr);
  const VectorFilter filter(sides, bound.value(), pool);
  RC_ASSERT(filter.maker().form() != PanelForm::none);
  const Candidates found = candidates_of(filter, test, 100);
  for (const auto& [left, right, value] : pairs_within(test, measure, bound)) {
    RC_ASSERT(std::binary_search(found.begin(), found.end(), std::pair(left, right)));
  }
  // The result for a row does not depend on the rows processed with it.
  RC_ASSERT(candidates_of(filter, test, 1) == found);
}

TEST(VectorFilters, WithoutABoundLetAllPass) {
  const TestVectors vectors = random_vectors(1, 70, 5, ComponentType::int8);
  const VectorMeasure measure = *vector_measure("canberra");
  const VectorSides sides(vectors.all(), std::nullopt, measure);
  ThreadPool pool(1, nullptr);
  const VectorFilter filter(sides, std::nullopt, pool);
  EXPECT_EQ(filter.maker().form(), PanelForm::none);
  EXPECT_EQ(candidates_of(filter, {vectors.all(), std::nullopt}, 2).size(), 70U * 70U);
}

// Huge components in a few rows make 8-bit steps so coarse that all other rows look alike.
TEST(VectorFilters, TakeWordsWhereBytesTellTooLittle) {
  ThreadPool pool(1, nullptr);
  const VectorMeasure measure = *vector_measure("euclidean");
  for (const float largest : {1.0F, 20.0F}) {
    VectorColumn column{320, 64, std::vector<float>(320 * 64)};
    auto& components = std::get<std::vector<float>>(column.components);
    for (std::size_t i = 0; i < components.size(); ++i) {
      components[i] = static_cast<float>(random64(1, i) % 1000) / 1000;
    }
    for (std::size_t row = 0; row < 320; row += 8) components[row * 64] = largest;
    const TestVectors vectors = with_squares(std::move(column));
    const VectorSides sides(vectors.all(), std::nullopt, measure);
    const VectorFilter filter(sides, 2.6, pool);
    EXPECT_EQ(filter.maker().form(), largest > 1 ? PanelForm::words : PanelForm::bytes);
    const std::size_t found = candidates_of(filter, {vectors.all(), std::nullopt}, 100).size();
    EXPECT_GE(found, 320U);
    EXPECT_LT(found, 320U * 320U / 10) << "most pairs are told apart";
  }
}

// Chunks of 1, 2, 3, ... panels.
TEST(HeldPanels, AreMadeOnceWhereThereIsRoomElseWhenTheyAreAskedFor) {
  ThreadPool pool(2, nullptr);
  std::vector<PanelStretch> chunks;
  for (std::size_t i = 0; i < 6; ++i) chunks.push_back({i * (i + 1) / 2, (i + 1) * (i + 2) / 2});
  for (std::uint64_t most = 0; most < 25; ++most) {
    std::atomic<std::size_t> made = 0;
    HeldPanels<std::size_t> held(chunks, most, [&](const PanelStretch& place) {
      ++made;
      return place.begin;
    });
    EXPECT_EQ(held.holds_all(), most >= 21);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t chunk = 0; chunk < chunks.size();) {
        const std::size_t end = held.hold(chunk, pool);
        ASSERT_GT(end, chunk);
        const std::uint64_t panels = chunks[end - 1].end - chunks[chunk].begin;
        EXPECT_TRUE(panels <= most || end == chunk + 1);
        for (; chunk < end; ++chunk) EXPECT_EQ(held[chunk], chunks[chunk].begin);
      }
    }
    EXPECT_EQ(made, held.holds_all() ? 6U : 12U);
  }
}

TEST(RoomForExactJoins, IsNoMoreThanThereIsAndItsHintIsEnough) {
  for (const std::size_t dimension : {1U, 100U, 5000U}) {
    for (const unsigned threads : {1U, 8U}) {
      ExactNeeds needs{50'000'000, 0, dimension, threads};
      std::size_t refused = 0;
      for (std::uint64_t megabytes = 40; megabytes < 400; megabytes += 3) {
        needs.memory_bytes = megabytes << 20;
        try {
          const auto given = exact_memory_share(needs);
          const auto least = least_memory_share(dimension);
          EXPECT_LE(needs.besides + given.panel_bytes + given.pair_bytes, needs.memory_bytes);
          EXPECT_GE(given.panel_bytes, least.panel_bytes);
          EXPECT_GE(given.pair_bytes, least.pair_bytes);
        } catch (const Error& error) {
          ++refused;
          EXPECT_EQ(error.kind(), ErrorKind::limit_exceeded);
          needs.memory_bytes = std::stoull(error.hint().substr(9)) << 20;  // --memory 60M
          EXPECT_NO_THROW((void)exact_memory_share(needs));
        }
      }
      EXPECT_GT(refused, 0U);
    }
  }
}

}  // namespace
}  // namespace sosie
