#include "verify/vector_measures.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "verify/measures.h"

namespace sosie {
namespace {

template <typename T>
VectorColumn column_of(std::initializer_list<std::vector<T>> rows) {
  std::vector<T> components;
  for (const auto& row : rows) components.insert(components.end(), row.begin(), row.end());
  return {rows.size(), rows.begin()->size(), std::move(components)};
}

VectorSums sums_of(const VectorMeasure& measure, const VectorColumn& column, std::size_t left,
                   std::size_t right) {
  VectorSums sums = sums_between(measure, column, left, column, right);
  sums.left_square = squared_length(column, left);
  sums.right_square = squared_length(column, right);
  return sums;
}

double between(std::string_view name, const std::vector<double>& left,
               const std::vector<double>& right) {
  const VectorMeasure measure = *vector_measure(name);
  const VectorColumn both = column_of<double>({left, right});
  return measure.value(sums_of(measure, both, 0, 1));
}

TEST(VectorMeasures, T5_1_EuclideanManhattanChebyshev) {
  EXPECT_EQ(between("euclidean", {2, 7}, {6, 4}), 5);
  EXPECT_EQ(between("manhattan", {2, 7}, {6, 4}), 7);
  EXPECT_EQ(between("chebyshev", {2, 7}, {6, 4}), 4);
  EXPECT_EQ(between("manhattan", {5, 6, 7}, {8, 2, 4}), 10);
  EXPECT_EQ(between("euclidean", {5, 6, 7}, {8, 2, 4}), std::sqrt(34));
}

TEST(VectorMeasures, T5_1_GeneralOrders) {
  EXPECT_EQ(between("minkowski:1", {2, 7}, {6, 4}), 7);
  EXPECT_EQ(between("minkowski:2", {2, 7}, {6, 4}), 5);
  EXPECT_NEAR(between("minkowski:3", {2, 7}, {6, 4}), std::cbrt(91), 1e-14);
  EXPECT_NEAR(between("minkowski:3", {0, 0, 0}, {3, -4, 5}), 6, 1e-14);
  EXPECT_NEAR(between("minkowski:2.5", {5, 6, 7}, {8, 2, 4}),
              std::pow(2 * std::pow(3, 2.5) + std::pow(4, 2.5), 1 / 2.5), 1e-13);
  EXPECT_NEAR(between("minkowski:5/2", {5, 6, 7}, {8, 2, 4}),
              between("minkowski:2.5", {5, 6, 7}, {8, 2, 4}), 0);
  EXPECT_NEAR(between("minkowski:1000", {2, 7}, {6, 4}), 4, 1e-14);  // nearly L-infinity
  EXPECT_EQ(between("minkowski:3", {2, 7}, {2, 7}), 0);
}

RC_GTEST_PROP(VectorMeasures, CosinesOfWholeNumbersAreThoseOfTheDirection, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 9);
  const auto number = rc::gen::map(rc::gen::inRange(-1000, 1001), [](int x) { return double(x); });
  const auto left = *rc::gen::container<std::vector<double>>(size, number);
  const auto right = *rc::gen::container<std::vector<double>>(size, number);
  const auto is_zero = [](const std::vector<double>& row) {
    return std::all_of(row.begin(), row.end(), [](double x) { return x == 0; });
  };
  RC_PRE(!is_zero(left) && !is_zero(right));
  const int times = *rc::gen::inRange(1, 30);
  std::vector<double> longer = right;
  for (double& x : longer) x *= times;
  const double cosine = between("cosine", left, right);
  RC_ASSERT(between("cosine", left, longer) == cosine);
  RC_ASSERT(between("angle", left, longer) == between("angle", left, right));
  long double dot = 0;
  long double squares[2] = {0, 0};
  for (std::size_t i = 0; i < size; ++i) {
    dot += left[i] * right[i];
    squares[0] += left[i] * left[i];
    squares[1] += right[i] * right[i];
  }
  const long double expected = dot / std::sqrt(squares[0] * squares[1]);
  RC_ASSERT(std::abs(cosine - expected) <= 4e-16L * std::abs(expected));
}

TEST(VectorMeasures, BelowOrderOneThereIsNoDistance) {
  for (const char* name : {"minkowski", "minkowski:", "minkowski:0.99", "minkowski:0",
                           "minkowski:1001", "minkowski:x", "minkowski:-3", "euclidean:2"}) {
    EXPECT_FALSE(vector_measure(name)) << name;
  }
  EXPECT_TRUE(vector_measure("minkowski:1.01"));
}

TEST(VectorMeasures, WholeOrdersOfWholeNumbersAreDecidedByPowers) {
  const VectorMeasure cubic = *vector_measure("minkowski:3");
  const VectorColumn bytes = column_of<std::uint8_t>({{0, 0, 0}, {3, 4, 5}});  // 6
  const VectorSums sums = sums_of(cubic, bytes, 0, 1);
  EXPECT_TRUE(cubic.reaches(sums, *parse_rational("6"), true));
  EXPECT_FALSE(cubic.reaches(sums, *parse_rational("5.99999999"), true));
}

TEST(VectorMeasures, LargeDifferencesDoNotOverflowTheirPowers) {
  const VectorMeasure cubic = *vector_measure("minkowski:3");
  const VectorColumn far = column_of<double>({{0, 0}, {1e150, 1e150}});
  const VectorSums sums = sums_of(cubic, far, 0, 1);
  EXPECT_NEAR(cubic.value(sums) / 1e150, std::cbrt(2), 1e-14);
  EXPECT_FALSE(cubic.reaches(sums, *parse_rational("999999999"), false));
}

TEST(VectorMeasures, T5_5_HammingOfAnyComponents) {
  EXPECT_EQ(between("hamming", {1, 0, 1, 0, 1}, {1, 1, 1, 1, 0}), 3);
  const std::vector<std::vector<double>> rows = {
      {0, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 1, 1}, {0, 1, 0, 1, 0, 1}, {0, 1, 1, 1, 0, 0}};
  std::vector<double> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      found.push_back(between("hamming", rows[i], rows[j]));
    }
  }
  EXPECT_EQ(found, (std::vector<double>{4, 3, 3, 3, 5, 2}));
  EXPECT_EQ(between("hamming", {7, 2.5, -1}, {7, 2.25, 1}), 2);  // the size of a difference does
                                                                 // not matter
}

TEST(VectorMeasures, DotProductsAreNoDistance) {
  EXPECT_EQ(between("dot", {1, 2, 3}, {2, 0, -1}), -1);
  EXPECT_GT(between("dot", {1, 0}, {5, 0}), between("dot", {1, 0}, {1, 0}));
  const VectorMeasure dot = *vector_measure("dot");
  EXPECT_FALSE(dot.nearest_is_equal);
  const VectorColumn bytes = column_of<std::int8_t>({{3, 4}, {-3, -4}});
  EXPECT_TRUE(dot.reaches(sums_of(dot, bytes, 0, 0), *parse_rational("25"), true));
  EXPECT_FALSE(dot.reaches(sums_of(dot, bytes, 0, 0), *parse_rational("25.000001"), true));
  EXPECT_FALSE(dot.reaches(sums_of(dot, bytes, 0, 1), *parse_rational("0.1"), true));
}

TEST(VectorMeasures, T5_3_AnglesInDegrees) {
  EXPECT_NEAR(between("angle", {1, 2, -1}, {2, 1, 1}), 60, 1e-12);
  EXPECT_NEAR(between("cosine", {3, -1, 2}, {-2, 3, 1}), -.5, 1e-15);
  EXPECT_NEAR(between("cosine", {1, 2, 3}, {2, 4, 6}), 1, 1e-15);
  EXPECT_NEAR(between("cosine", {5, 0, -4}, {-1, -6, 2}), -13.0 / 41, 1e-15);
  EXPECT_EQ(between("cosine", {0, 1, 1, 0, 1, 1}, {0, 0, 1, 0, 0, 0}), .5);
  EXPECT_EQ(between("angle", {1, 2, 3}, {-2, -4, -6}), 180);
}

TEST(VectorMeasures, T5_3_AnglesOfZerosAndOnesAreRightAtMost) {
  const auto vector = [](unsigned bits) {
    std::vector<double> x;
    for (unsigned i = 0; i < 5; ++i) x.push_back(bits >> i & 1);
    return x;
  };
  const VectorMeasure angle = *vector_measure("angle");
  const Rational right = *parse_rational("90");
  for (unsigned x = 1; x < 32; ++x) {
    for (unsigned y = 1; y < 32; ++y) {
      const VectorColumn both = column_of<double>({vector(x), vector(y)});
      const VectorSums sums = sums_of(angle, both, 0, 1);
      EXPECT_LE(angle.value(sums), 90);
      EXPECT_TRUE(angle.reaches(sums, right, false)) << x << ' ' << y;
      EXPECT_TRUE(angle.reaches(sums, right, true)) << x << ' ' << y;
    }
  }
}

TEST(VectorMeasures, DecideIntegersExactlyAsTheThresholdIsWritten) {
  const VectorColumn bytes = column_of<std::uint8_t>({{3, 4}, {4, 3}, {0, 5}});
  const VectorMeasure cosine = *vector_measure("cosine");
  const VectorSums sums = sums_of(cosine, bytes, 0, 1);  // 24/25
  EXPECT_TRUE(cosine.reaches(sums, *parse_rational("0.96"), true));
  EXPECT_FALSE(cosine.reaches(sums, *parse_rational("0.960000001"), true));
  const VectorMeasure euclidean = *vector_measure("euclidean");
  const VectorSums far = sums_of(euclidean, bytes, 1, 2);  // sqrt(20)
  EXPECT_FALSE(euclidean.reaches(far, *parse_rational("4.47213595"), true));
  EXPECT_TRUE(euclidean.reaches(far, *parse_rational("4.47213596"), true));
}

TEST(VectorMeasures, DecideByTheDoubleOfABoundOfManyDigits) {
  const auto bound_of = [](std::string_view text, const VectorMeasure& measure) {
    return *parse_bound(text, measure.is_similarity ? BoundSide::not_below : BoundSide::not_above);
  };
  const VectorColumn doubles = column_of<double>({{0.5, 0}, {0.59999999999, 0}, {0.5, 1e-12}});
  for (const char* name : {"euclidean", "manhattan", "chebyshev", "minkowski:3", "minkowski:2.5"}) {
    const VectorMeasure measure = *vector_measure(name);
    const VectorSums far = sums_of(measure, doubles, 0, 1);
    const VectorSums near = sums_of(measure, doubles, 0, 2);
    EXPECT_TRUE(measure.reaches(far, bound_of("0.0999999999901", measure), false)) << name;
    EXPECT_FALSE(measure.reaches(far, bound_of("0.0999999999899", measure), false)) << name;
    EXPECT_TRUE(measure.reaches(near, bound_of("1.000001e-12", measure), false)) << name;
    EXPECT_FALSE(measure.reaches(near, bound_of("9.99999e-13", measure), false)) << name;
  }
  const VectorColumn bytes = column_of<std::uint8_t>({{1, 1, 1}, {0, 0, 0}, {1, 0, 1}});
  const VectorMeasure euclidean = *vector_measure("euclidean");
  const VectorSums cube = sums_of(euclidean, bytes, 0, 1);  // sqrt(3)
  EXPECT_TRUE(euclidean.reaches(cube, bound_of("1.7320508075688772", euclidean), true));
  EXPECT_FALSE(euclidean.reaches(cube, bound_of("1.732050807568877", euclidean), true));
  const VectorMeasure dot = *vector_measure("dot");
  EXPECT_TRUE(dot.reaches(sums_of(dot, bytes, 0, 2), bound_of("1.99999999999", dot), true));
  EXPECT_FALSE(dot.reaches(sums_of(dot, bytes, 0, 2), bound_of("2.00000000001", dot), true));
}

TEST(VectorMeasures, DoNotOverflowAtTheLargestDimension) {
  std::vector<std::uint8_t> most(2 * kMaxDimension, 255);
  const VectorColumn column{2, kMaxDimension, most};
  const VectorMeasure cosine = *vector_measure("cosine");
  const VectorSums sums = sums_of(cosine, column, 0, 1);
  EXPECT_EQ(sums.dot, 65025.0 * kMaxDimension);
  EXPECT_TRUE(cosine.reaches(sums, *parse_rational("2147483646/2147483647"), true));
  EXPECT_TRUE(cosine.reaches(sums, *parse_rational("1"), true));
}

std::vector<double> point() {
  return *rc::gen::container<std::vector<double>>(
      11, rc::gen::map(rc::gen::inRange(-1000, 1001), [](int x) { return x / 8.0; }));
}

RC_GTEST_PROP(VectorMeasures, T5_AreDistances, ()) {
  const auto x = point();
  const auto y = point();
  const auto z = point();
  for (const char* name : {"angle", "euclidean", "manhattan", "chebyshev", "hamming",
                           "minkowski:1.5", "minkowski:3", "minkowski:7.25"}) {
    const VectorMeasure measure = *vector_measure(name);
    const auto is_zero = [](double c) { return c == 0; };
    if (measure.needs_length) {
      RC_PRE(!std::all_of(x.begin(), x.end(), is_zero));
      RC_PRE(!std::all_of(y.begin(), y.end(), is_zero));
      RC_PRE(!std::all_of(z.begin(), z.end(), is_zero));
    }
    const double xy = between(name, x, y);
    RC_ASSERT(xy >= 0);
    RC_ASSERT(xy == between(name, y, x));
    RC_ASSERT(between(name, x, x) < 1e-5);
    RC_ASSERT(xy <= between(name, x, z) + between(name, z, y) + 1e-5);
  }
}

RC_GTEST_PROP(VectorMeasures, AgreeForAllTypesOfComponents, ()) {
  const auto left =
      *rc::gen::container<std::vector<std::int8_t>>(19, rc::gen::arbitrary<std::int8_t>());
  const auto right =
      *rc::gen::container<std::vector<std::int8_t>>(19, rc::gen::arbitrary<std::int8_t>());
  const VectorColumn bytes = column_of<std::int8_t>({left, right});
  const VectorColumn doubles = column_of<double>({std::vector<double>(left.begin(), left.end()),
                                                  std::vector<double>(right.begin(), right.end())});
  for (const char* name : {"cosine", "angle", "euclidean", "manhattan", "chebyshev", "hamming",
                           "minkowski:3", "dot"}) {
    const VectorMeasure measure = *vector_measure(name);
    const VectorSums a = sums_of(measure, bytes, 0, 1);
    const VectorSums b = sums_of(measure, doubles, 0, 1);
    RC_ASSERT(a.dot == b.dot && a.left_square == b.left_square && a.right_square == b.right_square);
    RC_ASSERT(a.difference_square == b.difference_square && a.difference_sum == b.difference_sum);
    RC_ASSERT(a.difference_most == b.difference_most && a.different == b.different);
    RC_ASSERT(a.difference_power == b.difference_power && a.difference_root == b.difference_root);
  }
}

}  // namespace
}  // namespace sosie
