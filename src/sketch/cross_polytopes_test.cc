#include "sketch/cross_polytopes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernels/segment_cells.h"
#include "kernels/simd.h"
#include "sketch/collision_laws.h"
#include "sketch/vectors_at_angle_test.h"

namespace sosie {
namespace {

NearVertices near_vertices_of(const CrossPolytopes& polytopes, const std::vector<Vector>& rows,
                              double reach) {
  std::vector<const double*> starts;
  for (const Vector& row : rows) starts.push_back(row.data());
  NearVertices vertices;
  polytopes.near_vertices(starts, reach, vertices);
  return vertices;
}

std::vector<double> vertices_of(const CrossPolytopes& polytopes, const std::vector<Vector>& rows) {
  std::vector<const double*> starts;
  for (const Vector& row : rows) starts.push_back(row.data());
  std::vector<double> vertices;
  polytopes.vertices(starts, vertices);
  return vertices;
}

TEST(CrossPolytopes, CollideAsTheLawSays) {
  constexpr std::size_t kFunctions = 1600;
  for (const double degrees : {1.0, 8.5, 18.2, 25.84, 45.0, 60.0, 90.0, 120.0, 179.0}) {
    for (const std::size_t dimension : {2U, 16U, 100U}) {
      const CrossPolytopes polytopes(kFunctions, dimension, dimension);
      const auto vertices = vertices_of(polytopes, vectors_at_angle(degrees, dimension, 7));
      double same = 0;
      for (std::size_t f = 0; f < kFunctions; ++f) {
        if (vertices[f] == vertices[kFunctions + f]) ++same;
      }
      const double p = cross_polytope_collision_law(degrees);
      EXPECT_NEAR(same / kFunctions, p, 4 * std::sqrt(p * (1 - p) / kFunctions) + 1e-9)
          << degrees << " degrees in " << dimension << " dimensions";
    }
  }
}

TEST(CrossPolytopes, AreNearAsTheLawSays) {
  constexpr std::size_t kFunctions = 1600;
  const auto expect_part = [](double times, double p, double degrees, double vertices) {
    EXPECT_NEAR(times / kFunctions, p, 4 * std::sqrt(p * (1 - p) / kFunctions) + 1e-4)
        << degrees << " degrees, " << vertices << " vertices";
  };
  for (const double degrees : {1.0, 8.5, 18.2, 25.84, 45.0, 60.0, 90.0, 120.0}) {
    const auto pair = vectors_at_angle(degrees, 50, 7);
    for (const double vertices : probed_vertices()) {
      const CrossPolytopes polytopes(kFunctions, 50, static_cast<std::uint64_t>(degrees));
      const auto found = near_vertices_of(polytopes, pair, vertex_reach(vertices));
      double one = 0;
      double both = 0;
      double near = 0;
      for (std::size_t f = 0; f < kFunctions; ++f) {
        const bool first = (found.near[kFunctions + f] >> found.nearest[f] & 1) != 0;
        const bool second = (found.near[f] >> found.nearest[kFunctions + f] & 1) != 0;
        one += first ? 1 : 0;
        both += first && second ? 1 : 0;
        near += std::popcount(found.near[f]);
      }
      expect_part(one, near_one_collision(vertices, degrees), degrees, vertices);
      expect_part(both, near_both_collision(vertices, degrees), degrees, vertices);
      EXPECT_NEAR(near / kFunctions, vertices, 0.12 * (vertices - 1)) << degrees;
    }
  }
}

TEST(CrossPolytopes, TheNearestVertexIsNearAndAloneWithoutReach) {
  const auto rows = vectors_at_angle(30, 67, 5);
  const CrossPolytopes polytopes(200, 67, 3);
  const auto nearest = vertices_of(polytopes, rows);
  const auto alone = near_vertices_of(polytopes, rows, 0);
  const auto near = near_vertices_of(polytopes, rows, 0.5);
  const auto all = near_vertices_of(polytopes, rows, 20);
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(alone.nearest[i], nearest[i]);
    EXPECT_EQ(alone.near[i], std::uint32_t{1} << alone.nearest[i]);
    EXPECT_EQ(near.nearest[i], alone.nearest[i]);
    EXPECT_EQ(near.near[i] & alone.near[i], alone.near[i]);
    EXPECT_EQ(all.near[i], ~std::uint32_t{0});
  }
}

TEST(CrossPolytopes, HaveAsManyVerticesAsTwiceTheirDimensions) {
  const CrossPolytopes polytopes(500, 5, 1);
  std::vector<int> met(2 * kPolytopeDimension);
  for (const double vertex : vertices_of(polytopes, vectors_at_angle(90, 5, 3))) {
    ASSERT_GE(vertex, 0);
    ASSERT_LT(vertex, static_cast<double>(met.size()));
    ++met[static_cast<std::size_t>(vertex)];
  }
  for (const int times : met) EXPECT_GT(times, 0);
}

TEST(CrossPolytopes, OppositeVectorsHaveOppositeVertices) {
  const CrossPolytopes polytopes(300, 9, 2);
  const Vector x = vectors_at_angle(90, 9, 1).front();
  Vector y = x;
  for (double& component : y) component = -component;
  const auto vertices = vertices_of(polytopes, {x, y});
  for (std::size_t f = 0; f < 300; ++f) {
    const double lower = std::min(vertices[f], vertices[300 + f]);
    EXPECT_EQ(std::fmod(lower, 2), 0);
    EXPECT_EQ(std::max(vertices[f], vertices[300 + f]), lower + 1);
  }
}

TEST(CrossPolytopes, AreTheSameInAnyNumberAndOnEveryCpu) {
  const auto rows = vectors_at_angle(30, 67, 5);
  const auto expected = vertices_of(CrossPolytopes(40, 67, 3), rows);
  for (const std::string_view target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::limit_simd(target));
    const auto more = vertices_of(CrossPolytopes(90, 67, 3), rows);
    for (std::size_t f = 0; f < 40; ++f) {
      EXPECT_EQ(more[f], expected[f]) << target;
      EXPECT_EQ(more[90 + f], expected[40 + f]) << target;
    }
  }
  kernels::limit_simd(kernels::simd_targets().front());
  EXPECT_NE(vertices_of(CrossPolytopes(40, 67, 4), rows), expected);
}

// Compares the separation from pairs at 90 degrees, for functions that lose near pairs less often.
TEST(CrossPolytopes, SeparateBetterThanHyperplanes) {
  const auto exponent = [](auto law) { return std::log(law(25.84)) / std::log(law(90)); };
  EXPECT_LT(exponent(cross_polytope_collision_law), 0.85 * exponent(hyperplane_collision_law));
}

// Vectors at 90 degrees are independent: the vertex nearest to one reveals nothing about the other.
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

// Therefore, of all pairs that a band should find, it finds those at the bound least often.
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

// At half degrees, compared with the integrals of tools/cross_polytope_law.py.
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
