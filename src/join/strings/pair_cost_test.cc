// Tests of the predicted cost of measuring pairs of strings.
#include "join/strings/pair_cost.h"

#include <gtest/gtest.h>

namespace sosie {
namespace {

constexpr EditMeasure kAll[] = {EditMeasure::levenshtein, EditMeasure::osa, EditMeasure::indel,
                                EditMeasure::damerau};

TEST(PairCost, GrowsWithTheLengthOfNearStrings) {
  for (const EditMeasure measure : kAll) {
    double last = 0;
    for (const std::uint32_t length : {100U, 400U, 1600U, 6400U}) {
      const double ns = measure_ns(measure, length, length, length / 5, /*are_near=*/true);
      EXPECT_GT(ns, 3 * last) << length;
      last = ns;
    }
  }
}

TEST(PairCost, StringsThatAreFarApartAreToldByAsManySymbolsAsTheBoundHasEdits) {
  const double ns = measure_ns(EditMeasure::levenshtein, 1000, 1000, 30, false);
  EXPECT_EQ(measure_ns(EditMeasure::levenshtein, 100'000, 100'000, 30, false), ns);
  EXPECT_LT(ns, measure_ns(EditMeasure::levenshtein, 1000, 1000, 30, true) / 10);
  EXPECT_LT(ns, measure_ns(EditMeasure::levenshtein, 1000, 1000, 300, false) / 10);
}

// The CPU time per measured pair, in joins of random letters, should be predicted within a factor
// of two.
TEST(PairCost, IsNearWhatWasMeasured) {
  struct Measured {
    std::uint32_t length;
    std::uint32_t most;
    double ns;
  };
  for (const auto& [length, most, ns] : {Measured{500, 30, 137},
                                         {500, 50, 209},
                                         {500, 150, 4890},
                                         {1000, 100, 913},
                                         {1000, 300, 8240},
                                         {3000, 300, 9700}}) {
    const double found = measure_ns(EditMeasure::levenshtein, length, length, most, false);
    EXPECT_GT(found, ns / 2) << length << " " << most;
    EXPECT_LT(found, ns * 2) << length << " " << most;
  }
}

}  // namespace
}  // namespace sosie
