#include "sketch/segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "kernels/segment_cells.h"
#include "kernels/simd.h"
#include "sketch/band_keys.h"
#include "sketch/collision_laws.h"
#include "sketch/standard_normal.h"

namespace sosie {
namespace {

using kernels::kCellVectors;
using kernels::kLineBlock;

// The cells of some points on given lines without offsets, computed by the kernel.
std::vector<std::vector<double>> cells_on(const std::vector<std::vector<double>>& lines,
                                          const std::vector<std::vector<double>>& points,
                                          double length) {
  const std::size_t dimension = lines.front().size();
  std::vector<double> interleaved(dimension * kLineBlock);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t k = 0; k < dimension; ++k) {
      interleaved[k * kLineBlock + i] = lines[i][k] / length;
    }
  }
  const std::vector<double> offsets(kLineBlock);
  const double* vectors[kCellVectors];
  for (std::size_t v = 0; v < kCellVectors; ++v) {
    vectors[v] = points[std::min(v, points.size() - 1)].data();
  }
  std::vector<double> cells(kCellVectors * kLineBlock);
  kernels::segment_cells(vectors, dimension, interleaved.data(), offsets.data(), 1, cells.data());
  std::vector<std::vector<double>> out;
  for (std::size_t v = 0; v < points.size(); ++v) {
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(v * kLineBlock);
    out.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(lines.size()));
  }
  return out;
}

// Pairs of points that share a bucket, and the lines on which they do, all numbered from 1; each
// line is a band.
using SharedLines = std::map<std::pair<int, int>, std::vector<int>>;

SharedLines candidates(const std::vector<std::vector<double>>& cells) {
  std::vector<std::vector<std::uint32_t>> keys;
  for (const auto& row : cells) {
    keys.emplace_back(row.size());
    keys_of_cells(row, 1, keys.back());
  }
  SharedLines shared;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = i + 1; j < keys.size(); ++j) {
      for (std::size_t line = 0; line < keys[i].size(); ++line) {
        if (keys[i][line] != keys[j][line]) continue;
        shared[{static_cast<int>(i) + 1, static_cast<int>(j) + 1}].push_back(
            static_cast<int>(line) + 1);
      }
    }
  }
  return shared;
}

TEST(SegmentLines, T7_4_PointsOnTheThreeAxes) {
  const std::vector<std::vector<double>> axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::vector<double>> points = {{1, 2, 3}, {0, 2, 4}, {4, 3, 2}};
  EXPECT_EQ(cells_on(axes, points, 1), points);
  const std::vector<std::vector<double>> of_two = {{0, 1, 1}, {0, 1, 2}, {2, 1, 1}};
  EXPECT_EQ(cells_on(axes, points, 2), of_two);
  EXPECT_EQ(candidates(cells_on(axes, points, 1)), (SharedLines{{{1, 2}, {2}}}));
  EXPECT_EQ(candidates(cells_on(axes, points, 2)),
            (SharedLines{{{1, 2}, {1, 2}}, {{1, 3}, {2, 3}}, {{2, 3}, {2}}}));
}

// Frequency with which random lines put 0 and a point at this distance into the same segment of
// length 1.
double collisions(SegmentLines::Component component, double distance, std::size_t dimension,
                  std::uint64_t seed, std::size_t count) {
  std::vector<double> x(dimension);
  double length = 0;
  for (std::size_t k = 0; k < dimension; ++k) {
    x[k] = standard_normal(seed + 500, k);
    length += component == standard_normal ? x[k] * x[k] : std::fabs(x[k]);
  }
  if (component == standard_normal) length = std::sqrt(length);
  std::vector<double> from(dimension, 17.25);  // far from the origin
  for (std::size_t k = 0; k < dimension; ++k) x[k] = from[k] + x[k] * distance / length;
  const SegmentLines lines(component, count, dimension, {1, seed});
  std::vector<double> cells;
  const std::vector<const double*> both = {from.data(), x.data()};
  lines.cells(both, cells);
  double same = 0;
  for (std::size_t i = 0; i < lines.count(); ++i) {
    if (cells[i] == cells[lines.count() + i]) ++same;
  }
  return same / static_cast<double>(lines.count());
}

TEST(SegmentLines, CollideAsTheLawsSay) {
  constexpr std::size_t kLines = 20000;
  for (const double distance : {.1, .25, .5, 1., 2., 4.}) {
    for (const std::size_t dimension : {1U, 2U, 20U, 100U}) {
      const double gaussian = gaussian_segment_collision_law(distance);
      EXPECT_NEAR(collisions(standard_normal, distance, dimension, dimension, kLines), gaussian,
                  4 * std::sqrt(gaussian * (1 - gaussian) / kLines))
          << distance << " in " << dimension << " dimensions";
      const double cauchy = cauchy_segment_collision_law(distance);
      EXPECT_NEAR(collisions(standard_cauchy, distance, dimension, dimension, kLines), cauchy,
                  4 * std::sqrt(cauchy * (1 - cauchy) / kLines))
          << distance << " in " << dimension << " dimensions";
    }
  }
}

TEST(SegmentLines, AreTheSameOnEveryCpu) {
  std::vector<std::vector<double>> points(kCellVectors, std::vector<double>(67));
  std::vector<const double*> pointers;
  for (std::size_t v = 0; v < points.size(); ++v) {
    for (std::size_t k = 0; k < 67; ++k) points[v][k] = 100 * standard_normal(v, k);
    pointers.push_back(points[v].data());
  }
  const SegmentLines lines(standard_cauchy, 100, 67, {0.5, 3});
  std::vector<double> expected;
  lines.cells(pointers, expected);
  for (const std::string_view target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::limit_simd(target));
    std::vector<double> cells;
    lines.cells(pointers, cells);
    EXPECT_EQ(cells, expected) << target;
  }
  kernels::limit_simd(kernels::simd_targets().front());
}

TEST(SegmentLines, CellsAreNeitherNegativeZerosNorNoNumbers) {
  const double huge = std::numeric_limits<double>::max();
  const auto cells = cells_on({{1, 1}, {2, -2}}, {{-0.0, -0.0}, {huge, huge}, {-0.25, 0}}, 1);
  for (const auto& row : cells) {
    for (const double cell : row) {
      EXPECT_EQ(cell, cell);
      EXPECT_FALSE(cell == 0 && std::signbit(cell));
    }
  }
  EXPECT_EQ(cells[2], (std::vector<double>{-1, -1}));
}

}  // namespace
}  // namespace sosie
