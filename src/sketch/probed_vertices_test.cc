#include "sketch/probed_vertices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sketch/collision_laws.h"

namespace sosie {
namespace {

// Vectors at 90 degrees are independent: which vertex is nearest to one says nothing of the other.
TEST(CrossPolytopeProbes, LeaveAsManyVerticesNearAsTheySay) {
  for (const double vertices : probed_vertices()) {
    EXPECT_NEAR(2 * kPolytopeDimension * near_one_collision(vertices, 90), vertices, 2e-6);
  }
}

TEST(CrossPolytopeProbes, OfOneVertexAreTheFamilyItself) {
  EXPECT_EQ(probed_vertices().front(), 1);
  EXPECT_EQ(vertex_reach(1), 0);
  for (const double degrees : {0.0, 12.3, 25.84, 90.0, 180.0}) {
    EXPECT_EQ(near_one_collision(1, degrees), cross_polytope_collision_law(degrees));
    EXPECT_EQ(near_both_collision(1, degrees), cross_polytope_collision_law(degrees));
  }
}

TEST(CrossPolytopeProbes, FindMoreWithMoreVertices) {
  for (double degrees = 0.5; degrees < 150; degrees += 0.5) {
    double last = 0;
    double last_reach = -1;
    for (const double vertices : probed_vertices()) {
      const double one = near_one_collision(vertices, degrees);
      const double both = near_both_collision(vertices, degrees);
      EXPECT_GE(one, last - 3e-4) << degrees;
      EXPECT_LE(both, one) << degrees;
      EXPECT_GE(both, 2 * one - 1 - 3e-5) << degrees;
      EXPECT_GE(both, cross_polytope_collision_law(degrees) - 3e-5) << degrees;
      EXPECT_GT(vertex_reach(vertices), last_reach);
      last = one;
      last_reach = vertex_reach(vertices);
    }
  }
}

// So a bound is where a band finds the least of the pairs that it shall find.
TEST(CrossPolytopeProbes, FindLessWithDistance) {
  for (const double vertices : probed_vertices()) {
    for (const int functions : {1, 2, 3, 5, 8}) {
      double last = 1;
      for (double degrees = 0; degrees <= 180; degrees += 0.25) {
        const double found = 2 * std::pow(near_one_collision(vertices, degrees), functions) -
                             std::pow(near_both_collision(vertices, degrees), functions);
        EXPECT_LE(found, last + 3e-4) << degrees << " degrees, " << vertices << " vertices";
        last = found;
      }
    }
  }
}

// At halves of degrees, as tools/cross_polytope_law.py integrates them.
TEST(CrossPolytopeProbes, AreTrueBetweenDegrees) {
  EXPECT_NEAR(near_one_collision(1.25, 4.5), 0.979896, 6e-5);
  EXPECT_NEAR(near_both_collision(1.25, 4.5), 0.962144, 6e-5);
  EXPECT_NEAR(near_one_collision(1.5, 8.5), 0.959907, 6e-6);
  EXPECT_NEAR(near_both_collision(1.5, 8.5), 0.925246, 1e-5);
  EXPECT_NEAR(near_one_collision(2, 12.5), 0.958164, 2e-6);
  EXPECT_NEAR(near_both_collision(2, 12.5), 0.919606, 3e-6);
  EXPECT_NEAR(near_one_collision(3, 25.5), 0.867717, 2e-6);
  EXPECT_NEAR(near_both_collision(3, 25.5), 0.761656, 2e-6);
  EXPECT_NEAR(near_one_collision(2, 89.5), 0.064572, 1e-6);
  EXPECT_NEAR(near_both_collision(2, 130.5), 0.000185, 1e-6);
}

}  // namespace
}  // namespace sosie
