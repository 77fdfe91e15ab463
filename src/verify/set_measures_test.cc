// Tests of the set measures that use the two sizes separately, compared with their definitions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "verify/jaccard.h"
#include "verify/measures.h"
#include "verify/overlap_coefficient.h"
#include "verify/set_cosine.h"

namespace sosie {
namespace {

using Set = std::vector<std::uint64_t>;

Overlap overlap_of(std::uint32_t shared, std::uint32_t left, std::uint32_t right) {
  return {shared, left + right - shared, left};
}

TEST(SetMeasures, T1_3_OfTheTextbookSets) {
  const Measure measure = *set_measure("overlap");
  const Overlap overlap = measure.overlap(Set{1, 2, 3, 4}, Set{2, 4, 6});
  EXPECT_EQ(overlap, overlap_of(2, 4, 3));
  EXPECT_DOUBLE_EQ(overlap_coefficient(overlap), 2.0 / 3);
  EXPECT_DOUBLE_EQ(containment(overlap), 1.0 / 2);
  EXPECT_DOUBLE_EQ(containment(overlap.flipped()), 2.0 / 3);
  EXPECT_DOUBLE_EQ(set_cosine(overlap), 0.57735026918962584);  // 1 / sqrt(3)
}

TEST(SetMeasures, OfEmptySetsAreOne) {
  EXPECT_EQ(overlap_coefficient({}), 1);
  EXPECT_EQ(containment({}), 1);
  EXPECT_EQ(set_cosine({}), 1);
}

// With 3 common elements, sizes 4 and 4 give 3/4, and sizes 9 and 4 give 1/2. These are squares of
// rational numbers, which a square root in doubles may miss by one bit.
TEST(SetMeasures, CosineIsDecidedByTheFraction) {
  EXPECT_TRUE(set_cosine_reaches(overlap_of(3, 4, 4), {3, 4}));
  EXPECT_TRUE(set_cosine_reaches(overlap_of(3, 9, 4), {1, 2}));
  EXPECT_FALSE(set_cosine_reaches(overlap_of(3, 9, 4), {500'000'001, 1'000'000'000}));
  const std::uint32_t large = 2'000'000'000;
  EXPECT_TRUE(set_cosine_reaches({large, large, large}, {1, 1}));
  EXPECT_FALSE(set_cosine_reaches({large - 1, large, large}, {1, 1}));
}

// 20,001 / sqrt(40,001 x 40,003) is 1/2 + 1.56e-10, and so is Tversky's index with these weights.
TEST(SetMeasures, LargeSetsAreDecidedBesideASimpleFraction) {
  const Overlap overlap = overlap_of(20'001, 40'001, 40'003);
  for (const char* typed : {"cosine", "tversky:0.500000001,0.5"}) {
    const Measure measure = *set_measure(typed, kSetItems);
    const auto reaches = [&](const char* threshold) {
      const Rational t = *measure.threshold(threshold);
      const bool reached = measure.reaches(overlap, t);
      EXPECT_EQ(reached, 20'001 >= measure.least_overlap(40'001, 40'003, t)) << threshold;
      EXPECT_EQ(reached, 40'003 <= measure.largest_partner(40'001, 20'001, t)) << threshold;
      return reached;
    };
    if (measure.name == "cosine") {
      EXPECT_TRUE(reaches("0.5000000001"));
      EXPECT_TRUE(reaches("0.5000000001562"));
      EXPECT_FALSE(reaches("0.50000000015625"));
      EXPECT_FALSE(reaches("0.5000000002"));
    } else {  // 20,001 / (20,001 + 20,000 x 0.500000001 + 20,002 x 0.5) = 1/2 - 2.5e-10 + ...
      const long double value = 20'001 / (20'001 + 20'000 * 0.500000001L + 20'002 * 0.5L);
      EXPECT_TRUE(reaches(fmt::format("{:.13f}", value - 1e-12L).c_str()));
      EXPECT_FALSE(reaches(fmt::format("{:.13f}", value + 1e-12L).c_str()));
    }
  }
}

// The definition of a measure, for each direction, in 128 bits.
bool reaches_by_definition(const Measure& measure, const Overlap& o, const Rational& t) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t shared = o.shared;
  const std::uint64_t left = o.left;
  const std::uint64_t right = o.right();
  const std::uint64_t least = std::min(left, right);
  const std::string_view name = measure.name;
  if (name == "tversky") {
    const auto& [w, a, b] = measure.weights;
    const auto reaches = [&, w = w](std::uint64_t x, std::uint64_t y) {
      return w * shared * t.den >=
             (w * shared + x * (left - shared) + y * (right - shared)) * t.num;
    };
    return reaches(a, b) || reaches(b, a);
  }
  if (name == "dice") return 2 * shared * t.den >= (left + right) * t.num;
  if (name == "overlap" || name == "containment") return shared * t.den >= least * t.num;
  if (name == "cosine") {
    return Wide{shared} * shared * t.den * t.den >= Wide{left} * right * t.num * t.num;
  }
  if (name == "jaccard") return shared * t.den >= (left + right - shared) * t.num;
  const ExactSimilarity exact = measure.fraction(o);  // a measure unknown to this test
  return Wide{exact.above} * t.den >= Wide{exact.below} * t.num;
}

// The bounds rule pairs out without looking at the sets, so they must never lose a pair.
RC_GTEST_PROP(SetMeasures, BoundsAreExact, ()) {
  const auto left = *rc::gen::inRange<std::uint32_t>(1, 60);
  const auto right = *rc::gen::inRange<std::uint32_t>(1, 60);
  const auto den = *rc::gen::inRange<std::uint64_t>(1, 13);
  const Rational t{*rc::gen::inRange<std::uint64_t>(1, den + 1), den};
  for (const Measure& measure : usual_set_measures()) {
    const std::uint32_t most = std::min(left, right);
    for (std::uint32_t shared = 0; shared <= most; ++shared) {
      const Overlap overlap = overlap_of(shared, left, right);
      const bool reaches = reaches_by_definition(measure, overlap, t);
      RC_ASSERT(measure.reaches(overlap, t) == reaches);
      RC_ASSERT(reaches == (shared >= measure.least_overlap(left, right, t)));
      if (reaches) {
        RC_ASSERT(measure.sizes_can_reach(left, right, t));
        RC_ASSERT(left + right - 2 * shared <= measure.largest_difference(left, right, t));
        RC_ASSERT(right >= measure.smallest_partner(left, t));
        RC_ASSERT(right <= measure.largest_partner(left, shared, t));
      }
      if (!measure.is_ordered()) continue;
      RC_ASSERT(reaches ==
                (measure.left_reaches(overlap, t) || measure.left_reaches(overlap.flipped(), t)));
    }
  }
}

// Pairs are ordered by their similarities, as far as doubles can distinguish these.
RC_GTEST_PROP(SetMeasures, IsAboveAgreesWithTheSimilarity, ()) {
  const auto draw = [] {
    const auto left = *rc::gen::inRange<std::uint32_t>(1, 200);
    const auto right = *rc::gen::inRange<std::uint32_t>(1, 200);
    return overlap_of(*rc::gen::inRange<std::uint32_t>(0, std::min(left, right) + 1), left, right);
  };
  const Overlap a = draw();
  const Overlap b = draw();
  for (const Measure& measure : usual_set_measures()) {
    const double difference = measure.similarity(a) - measure.similarity(b);
    if (difference > 1e-12) RC_ASSERT(measure.is_above(a, b));
    if (difference < 1e-12) RC_ASSERT(!measure.is_above(a, b));
  }
}

TEST(SetMeasures, BagJaccardOfTheSumIsAFunctionOfThatOfTheMaximum) {
  const Measure of_sum = bag_jaccard_of_sum();
  const Overlap t_1_2 = overlap_of(3, 4, 5);  // {a,a,a,b} and {b,a,a,b,c}
  EXPECT_DOUBLE_EQ(of_sum.similarity(t_1_2), 1.0 / 3);
  EXPECT_DOUBLE_EQ(of_sum.similarity({1, 1, 1}), 1.0 / 2);
  EXPECT_EQ(of_sum.name, "bag-jaccard");
}

}  // namespace
}  // namespace sosie
