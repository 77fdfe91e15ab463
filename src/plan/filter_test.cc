#include "plan/filter.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "reference/banding.h"

namespace sosie {
namespace {

TEST(Filter, PinnedCutoffs) {
  EXPECT_EQ(filter_cutoff(64, .8, .001), 41);
  EXPECT_EQ(filter_cutoff(128, .8, .001), 88);
  EXPECT_EQ(filter_cutoff(256, .8, .001), 184);
  EXPECT_EQ(filter_cutoff(128, .8, .00001), 82);
  EXPECT_EQ(filter_cutoff(128, .2, .001), 13);
}

TEST(Filter, EqualSetsMustAgreeEverywhere) {
  EXPECT_EQ(filter_cutoff(128, 1, .001), 128);
  EXPECT_EQ(filter_loss(128, 128, 1), 0);
}

TEST(Filter, BinomialHasNoUnderflowInLargeSignatures) {
  // 0.8^1024 and 0.2^1024 are far below the smallest double.
  EXPECT_NEAR(binomial_below(1024, .8, 820), reference::binomial_below(1024, .8, 820), 1e-10);
  EXPECT_NEAR(binomial_below(1024, .5, 512), .4875, .0001);
  EXPECT_EQ(binomial_below(1024, .8, 0), 0);
  EXPECT_EQ(binomial_below(1024, .8, 1025), 1);
}

TEST(Filter, BinomialEqualsTheReference) {
  EXPECT_TRUE(rc::check([] {
    const int n = *rc::gen::inRange(1, 1025);
    const double p = *rc::gen::inRange(1, 1000) / 1000.0;
    const int c = *rc::gen::inRange(0, n + 2);
    RC_ASSERT(std::abs(binomial_below(n, p, c) - reference::binomial_below(n, p, c)) < 1e-9);
  }));
}

TEST(Filter, CutoffIsTheLargestThatKeepsTheLoss) {
  EXPECT_TRUE(rc::check([] {
    const int components = 64 << *rc::gen::inRange(0, 5);
    const double threshold = *rc::gen::inRange(1, 1000) / 1000.0;
    const double loss = 1.0 / *rc::gen::inRange(2, 100'000);
    const int cutoff = filter_cutoff(components, threshold, loss);
    RC_ASSERT(reference::filter_miss(threshold, components, cutoff) <= loss * (1 + 1e-6));
    RC_ASSERT(reference::filter_miss(threshold, components, cutoff + 1) >= loss * (1 - 1e-6));
  }));
}

TEST(Filter, CandidatesPassMoreOftenThanOtherPairs) {
  for (const double s : {.5, .6, .7}) {
    EXPECT_GT(filter_pass_of_candidates(128, 88, 6, s), 1 - filter_loss(128, 88, s));
  }
  EXPECT_EQ(filter_pass_of_candidates(128, 6, 6, .1), 1);
}

}  // namespace
}  // namespace sosie
