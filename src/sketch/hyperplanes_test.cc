#include "sketch/hyperplanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "candidates/vector_panels.h"
#include "core/mix64.h"
#include "core/real_functions.h"
#include "kernels/products_reaching.h"
#include "sketch/collision_laws.h"
#include "sketch/standard_normal.h"
#include "verify/measures.h"
#include "verify/vector_measures.h"

namespace sosie {
namespace {

VectorColumn column_of(std::vector<std::vector<float>> rows) {
  VectorColumn column{rows.size(), rows.front().size(), {}};
  std::vector<float> components;
  for (const auto& row : rows) components.insert(components.end(), row.begin(), row.end());
  column.components = std::move(components);
  return column;
}

VectorPanels panels_of(const VectorColumn& column) {
  std::vector<double> squares(column.rows);
  for (std::size_t row = 0; row < column.rows; ++row) squares[row] = squared_length(column, row);
  return {all_of(column, squares), VectorPanels::Form::of_length_one, 0};
}

// For up to 32 vectors, a bit for each hyperplane (up to 32) that has the vector on its positive
// side, computed by the kernel that real runs use.
std::vector<std::uint32_t> sides(const VectorColumn& vectors, const VectorColumn& normals) {
  const std::vector<std::int32_t> limits(kernels::kPanelVectors, 0);
  std::vector<std::uint32_t> bits(kernels::kPanelVectors);
  panels_of(vectors).candidates(0, limits, panels_of(normals), 0, 1, bits);
  bits.resize(vectors.rows);
  const std::uint64_t known = (std::uint64_t{1} << normals.rows) - 1;
  for (std::uint32_t& word : bits) word &= static_cast<std::uint32_t>(known);
  return bits;
}

// The angle at which, by the family's law, this share of the functions agrees.
double estimated_degrees(std::uint32_t left, std::uint32_t right, std::size_t count) {
  const double agreeing = 1 - std::popcount(left ^ right) / static_cast<double>(count);
  double low = 0;
  double high = 180;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (hyperplane_collision_law(middle) > agreeing ? low : high) = middle;
  }
  return high;
}

// "+-+" as bits, the first one lowest.
std::uint32_t signs(std::string_view text) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bits |= static_cast<std::uint32_t>(text[i] == '+') << i;
  }
  return bits;
}

VectorColumn all_vectors_of_signs() {
  std::vector<std::vector<float>> rows;
  for (unsigned i = 0; i < 16; ++i) {
    std::vector<float> row;
    for (unsigned k = 0; k < 4; ++k) row.push_back((i >> k & 1) != 0 ? 1.0F : -1.0F);
    rows.push_back(row);
  }
  return column_of(rows);
}

// The measure of two rows in a column, as used to verify pairs.
double between(std::string_view measure, const VectorColumn& column, std::size_t left,
               std::size_t right) {
  const VectorMeasure measured = *vector_measure(measure);
  VectorSums sums = sums_between(measured, column, left, column, right);
  sums.left_square = squared_length(column, left);
  sums.right_square = squared_length(column, right);
  return measured.value(sums);
}

TEST(Hyperplanes, T7_2_SketchesOfTwoVectors) {
  const VectorColumn points = column_of({{3, 4, 5, 6}, {4, 3, 2, 1}});
  const auto three = sides(points, column_of({{1, -1, 1, 1}, {-1, 1, -1, 1}, {1, 1, -1, -1}}));
  EXPECT_EQ(three[0], signs("++-"));
  EXPECT_EQ(three[1], signs("+-+"));
  EXPECT_NEAR(estimated_degrees(three[0], three[1], 3), 120, .005);
  const auto all = sides(points, all_vectors_of_signs());
  EXPECT_NEAR(estimated_degrees(all[0], all[1], 16), 45, .005);
  EXPECT_NEAR(between("angle", points, 0, 1), 38.05, .005);
  EXPECT_NEAR(between("cosine", points, 0, 1), .7875, .00005);
}

TEST(Hyperplanes, T7_3_SketchesOfThreeVectors) {
  const VectorColumn points = column_of({{2, 3, 4, 5}, {-2, 3, -4, 5}, {2, -3, 4, -5}});
  const auto four =
      sides(points, column_of({{1, 1, 1, -1}, {1, 1, -1, 1}, {1, -1, 1, 1}, {-1, 1, 1, 1}}));
  EXPECT_EQ(four[0], signs("++++"));
  EXPECT_EQ(four[1], signs("-+-+"));
  EXPECT_EQ(four[2], signs("+-+-"));
  EXPECT_NEAR(estimated_degrees(four[0], four[1], 4), 90, .05);
  EXPECT_NEAR(estimated_degrees(four[0], four[2], 4), 90, .05);
  EXPECT_NEAR(estimated_degrees(four[1], four[2], 4), 180, .05);
  const auto all = sides(points, all_vectors_of_signs());
  EXPECT_NEAR(estimated_degrees(all[0], all[1], 16), 67.5, .05);
  EXPECT_NEAR(estimated_degrees(all[0], all[2], 16), 112.5, .05);
  EXPECT_NEAR(estimated_degrees(all[1], all[2], 16), 157.5, .05);
  EXPECT_NEAR(between("angle", points, 0, 1), 74.97, .005);
  EXPECT_NEAR(between("angle", points, 0, 2), 105.03, .005);
  EXPECT_NEAR(between("angle", points, 1, 2), 180, .5);
}

TEST(Hyperplanes, SignsAreNotFairInTheFirstDimensions) {
  const VectorColumn near = column_of({{1, 0}, {1, .5}});  // 26.57 degrees
  const auto of_signs = sides(near, column_of({{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}));
  EXPECT_EQ(of_signs[0], of_signs[1]);
  const auto gaussian = sides(near, hyperplane_normals(32, 2, 1));
  EXPECT_NE(gaussian[0], gaussian[1]);
}

// The number of random hyperplanes, out of `count`, for which two vectors at this angle are on the
// same side.
int agreements(double degrees, std::size_t dimension, std::uint64_t seed, std::size_t count) {
  std::vector<std::vector<float>> rows(2, std::vector<float>(dimension));
  double along = 0;  // component of a random direction along the first
  std::vector<double> x(dimension);
  std::vector<double> y(dimension);
  for (std::size_t k = 0; k < dimension; ++k) {
    x[k] = standard_normal(seed + 1000, k);
    y[k] = standard_normal(seed + 2000, k);
  }
  double square = 0;
  for (std::size_t k = 0; k < dimension; ++k) {
    square += x[k] * x[k];
    along += x[k] * y[k];
  }
  double rest = 0;
  for (std::size_t k = 0; k < dimension; ++k) {
    y[k] -= along / square * x[k];
    rest += y[k] * y[k];
  }
  for (std::size_t k = 0; k < dimension; ++k) {
    rows[0][k] = static_cast<float>(x[k]);
    rows[1][k] =
        static_cast<float>(std::cos(degrees * kPi / 180) * x[k] +
                           std::sin(degrees * kPi / 180) * std::sqrt(square / rest) * y[k]);
  }
  const VectorPanels vectors = panels_of(column_of(rows));
  const VectorPanels normals = panels_of(hyperplane_normals(count, dimension, seed));
  const std::vector<std::int32_t> limits(kernels::kPanelVectors, 0);
  std::vector<std::uint32_t> bits(normals.panel_count() * kernels::kPanelVectors);
  vectors.candidates(0, limits, normals, 0, normals.panel_count(), bits);
  int same = 0;
  for (std::size_t panel = 0; panel < normals.panel_count(); ++panel) {
    same += 32 - std::popcount(bits[panel * 32] ^ bits[panel * 32 + 1]);
  }
  return same;
}

TEST(Hyperplanes, CollideAsTheLawSays) {
  constexpr std::size_t kPlanes = 32000;
  for (const double degrees : {1.0, 8.0, 26.0, 60.0, 90.0, 150.0}) {
    for (const std::size_t dimension : {2U, 3U, 16U, 100U}) {
      const double p = hyperplane_collision_law(degrees);
      EXPECT_NEAR(agreements(degrees, dimension, dimension, kPlanes) / double{kPlanes}, p,
                  4 * std::sqrt(p * (1 - p) / kPlanes))
          << degrees << " degrees in " << dimension << " dimensions";
    }
  }
}

// Averages over 300 pairs of directions; a single pair may deviate, as the first test of signs
// shows.
TEST(Hyperplanes, SignsCollideAsTheLawSaysOnAverageOverDirections) {
  constexpr std::size_t kPlanes = 32;
  constexpr std::size_t kPairs = 300;
  for (const std::size_t dimension : {2U, 5U, 64U}) {
    double agreeing = 0;
    double expected = 0;
    for (std::size_t i = 0; i < kPairs; ++i) {
      std::vector<std::vector<float>> rows(2, std::vector<float>(dimension));
      for (std::size_t k = 0; k < 2 * dimension; ++k) {
        rows[k / dimension][k % dimension] =
            static_cast<float>(standard_normal(i, k + (k < dimension ? 0 : 1000)));
      }
      const VectorColumn both = column_of(rows);
      const VectorMeasure angle = *vector_measure("angle");
      VectorSums sums = sums_between(angle, both, 0, both, 1);
      sums.left_square = squared_length(both, 0);
      sums.right_square = squared_length(both, 1);
      expected += hyperplane_collision_law(angle.value(sums));
      const auto bits = sides(both, sign_normals(kPlanes - 1, dimension, i));
      agreeing += 1 - std::popcount(bits[0] ^ bits[1]) / double{kPlanes - 1};
    }
    EXPECT_NEAR(agreeing / kPairs, expected / kPairs, 4 * std::sqrt(.25 / kPairs)) << dimension;
  }
}

TEST(Hyperplanes, SignsOfComponentsAreFairAndTellNothingOfEachOther) {
  constexpr std::size_t kNormals = 3200;
  const auto signs = std::get<std::vector<std::int8_t>>(sign_normals(kNormals, 5, 7).components);
  std::vector<double> met(32);
  for (std::size_t i = 0; i < kNormals; ++i) {
    std::size_t pattern = 0;
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(signs[5 * i + k] * signs[5 * i + k], 1);
      pattern = 2 * pattern + (signs[5 * i + k] > 0 ? 1 : 0);
    }
    ++met[pattern];
  }
  for (const double times : met) EXPECT_NEAR(times, kNormals / 32.0, 45);  // 4.5 deviations
  const auto few = std::get<std::vector<std::int8_t>>(sign_normals(3, 5, 7).components);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), signs.begin()));
}

TEST(Hyperplanes, AreTheSameInAnyNumber) {
  const auto few = std::get<std::vector<float>>(hyperplane_normals(3, 5, 7).components);
  const auto many = std::get<std::vector<float>>(hyperplane_normals(40, 5, 7).components);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  const auto others = std::get<std::vector<float>>(hyperplane_normals(3, 5, 8).components);
  EXPECT_NE(few, others);
}

}  // namespace
}  // namespace sosie
