#include "verify/bring_into_range.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "verify/measures.h"
#include "verify/vector_measures.h"

namespace sosie {
namespace {

VectorColumn two_rows(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> components(x);
  components.insert(components.end(), y.begin(), y.end());
  return {2, x.size(), std::move(components)};
}

double between(std::string_view name, const VectorColumn& column) {
  const VectorMeasure measure = *vector_measure(name);
  VectorSums sums = sums_between(measure, column, 0, column, 1);
  sums.left_square = squared_length(column, 0);
  sums.right_square = squared_length(column, 1);
  return measure.value(sums);
}

std::vector<double> range_point() {
  return *rc::gen::container<std::vector<double>>(
      11, rc::gen::map(rc::gen::inRange(-1000, 1001), [](int x) { return x / 8.0; }));
}

std::vector<double> times(std::vector<double> x, int exponent) {
  for (double& component : x) component = std::ldexp(component, exponent);
  return x;
}

bool has_direction(const std::vector<double>& x) {
  return std::any_of(x.begin(), x.end(), [](double component) { return component != 0; });
}

RC_GTEST_PROP(VectorRange, CosinesAndAnglesDoNotDependOnLengths, ()) {
  const auto x = range_point();
  const auto y = range_point();
  RC_PRE(has_direction(x) && has_direction(y));
  const VectorColumn usual = two_rows(x, y);
  VectorColumn scaled =
      two_rows(times(x, *rc::gen::inRange(-1000, 1001)), times(y, *rc::gen::inRange(-1000, 1001)));
  bring_into_range(scaled);
  for (const char* name : {"cosine", "angle"}) {
    RC_ASSERT(between(name, scaled) == between(name, usual));
  }
}

RC_GTEST_PROP(VectorRange, DistancesGrowWithTheVectors, ()) {
  const auto x = range_point();
  const auto y = range_point();
  const int exponent = *rc::gen::inRange(-1000, 1001);
  const VectorColumn usual = two_rows(x, y);
  const VectorColumn scaled = two_rows(times(x, exponent), times(y, exponent));
  for (const char* name : {"euclidean", "manhattan", "chebyshev", "minkowski:3"}) {
    const double expected = std::ldexp(between(name, usual), exponent);
    RC_ASSERT(std::abs(between(name, scaled) - expected) <= expected * 1e-12);
  }
}

TEST(VectorRange, InnerProductsMayLeaveItOnTheWay) {
  EXPECT_EQ(between("dot", two_rows({0x1p600, 0x1p600, 0x1p500}, {0x1p600, -0x1p600, 0x1p499})),
            0x1p999);
  EXPECT_EQ(between("dot", two_rows({1e200, -1e200}, {1e200, 1e-200})), INFINITY);
  EXPECT_EQ(between("dot", two_rows({1e200, 1}, {-1e200, 1})), -INFINITY);
  EXPECT_EQ(between("dot", two_rows({0x1p1000, 0x1p1000}, {0x1p100, -0x1p99})), INFINITY);
}

TEST(VectorRange, RowsWithinItStayAsTheyAre) {
  const VectorColumn column = two_rows({1e70, 1e-300, 0}, {1e-70, 0, 0});
  VectorColumn same = column;
  bring_into_range(same);
  EXPECT_EQ(same.components, column.components);
}

TEST(VectorRange, ALargeComponentCountsWhereverItStands) {
  constexpr std::size_t kComponents = 19;
  for (std::size_t place = 0; place < kComponents; ++place) {
    for (const double large : {0x1p900, -0x1p900}) {
      std::vector<double> row(kComponents, 1);
      row[place] = large;
      EXPECT_TRUE(bring_into_range(row));
      EXPECT_LT(std::abs(row[place]), 0x1p240) << place;
      EXPECT_GT(std::abs(row[place]), 0x1p199) << place;
    }
  }
}

TEST(VectorRange, IsLeftByLongRowsAndByShortRowsAlone) {
  const auto leaves = [](const VectorColumn& column) {
    const std::vector<double> squares = {squared_length(column, 0), squared_length(column, 1)};
    return are_out_of_range(column, squares);
  };
  EXPECT_FALSE(leaves(two_rows({1}, {1e-200})));
  EXPECT_TRUE(leaves(two_rows({1}, {1e200})));
  EXPECT_TRUE(leaves(two_rows({1e-200}, {1e-130})));
}

}  // namespace
}  // namespace sosie
