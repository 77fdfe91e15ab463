#include "candidates/vector_panels.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/mix64.h"
#include "kernels/byte_products.h"
#include "kernels/products_reaching.h"
#include "kernels/simd.h"

namespace sosie {
namespace {

using kernels::kPanelVectors;
using PanelPairs = std::set<std::pair<std::size_t, std::size_t>>;

double dot(const VectorColumn& x, std::size_t i, const VectorColumn& y, std::size_t j) {
  const auto& a = std::get<std::vector<double>>(x.components);
  const auto& b = std::get<std::vector<double>>(y.components);
  double sum = 0;
  for (std::size_t k = 0; k < x.dimension; ++k)
    sum += a[i * x.dimension + k] * b[j * x.dimension + k];
  return sum;
}

// Rows in small groups that are near each other.
VectorColumn made(std::size_t rows, std::size_t dimension, std::uint64_t seed, double size) {
  std::vector<double> components;
  for (std::size_t i = 0; i < rows * dimension; ++i) {
    const std::size_t group = i / dimension / 3;
    const auto common =
        static_cast<double>(random64(seed, group * dimension + i % dimension) % 2001);
    const auto own = static_cast<double>(random64(seed + 1, i) % 201);
    components.push_back(size * (common - 1000 + own));
  }
  return {rows, dimension, std::move(components)};
}

std::vector<double> panel_squares_of(const VectorColumn& column) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < column.rows; ++i) squares.push_back(dot(column, i, column, i));
  return squares;
}

template <typename Limit>
PanelPairs candidates(const VectorPanels& left, const VectorPanels& right, Limit limit) {
  PanelPairs found;
  std::vector<std::uint32_t> hits(right.panel_count() * kPanelVectors);
  for (std::size_t panel = 0; panel < left.panel_count(); ++panel) {
    std::vector<std::int32_t> limits(kPanelVectors);
    for (std::size_t x = 0; x < kPanelVectors; ++x) {
      const std::size_t row = panel * kPanelVectors + x;
      if (row < left.rows()) limits[x] = limit(row);
    }
    left.candidates(panel, limits, right, 0, right.panel_count(), hits);
    for (std::size_t k = 0; k < hits.size(); ++k) {
      const std::size_t i = panel * kPanelVectors + k % kPanelVectors;
      for (std::size_t bit = 0; bit < kPanelVectors; ++bit) {
        const std::size_t j = k / kPanelVectors * kPanelVectors + bit;
        if (hits[k] >> bit & 1U && i < left.rows() && j < right.rows()) found.emplace(i, j);
      }
    }
  }
  return found;
}

RC_GTEST_PROP(VectorPanels, MissNoPairAtAnyCosine, ()) {
  const auto dimension = static_cast<std::size_t>(*rc::gen::inRange(1, 70));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const VectorColumn x = made(50, dimension, seed, 1);
  const VectorColumn y = made(41, dimension, seed, 1e-30);
  const auto xs = panel_squares_of(x);
  const auto ys = panel_squares_of(y);
  RC_PRE(std::count(xs.begin(), xs.end(), 0.0) + std::count(ys.begin(), ys.end(), 0.0) == 0);
  const VectorPanels left(all_of(x, xs), VectorPanels::Form::of_length_one, 0);
  const VectorPanels right(all_of(y, ys), VectorPanels::Form::of_length_one, 0);
  const double threshold = *rc::gen::inRange(-1000, 1001) / 1000.0;
  const PanelPairs found =
      candidates(left, right, [&](std::size_t) { return left.cosine_limit(right, threshold); });
  std::size_t reaching = 0;
  std::size_t near = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < y.rows; ++j) {
      const double cosine = dot(x, i, y, j) / std::sqrt(xs[i] * ys[j]);
      if (cosine >= threshold) {
        ++reaching;
        RC_ASSERT(found.count({i, j}) == 1U);
      }
      near += cosine >= threshold - 0.001 ? 1 : 0;
    }
  }
  RC_ASSERT(found.size() >= reaching);
  RC_ASSERT(found.size() <= near);  // and hardly more
}

RC_GTEST_PROP(VectorPanels, MissNoPairAtAnyDistance, ()) {
  const auto dimension = static_cast<std::size_t>(*rc::gen::inRange(1, 70));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double size = *rc::gen::element(1e-40, 1.0, 1e40);
  const VectorColumn x = made(50, dimension, seed, size);
  const VectorColumn y = made(41, dimension, seed, size);
  const auto xs = panel_squares_of(x);
  const auto ys = panel_squares_of(y);
  const double most = std::sqrt(
      std::max(*std::max_element(xs.begin(), xs.end()), *std::max_element(ys.begin(), ys.end())));
  RC_PRE(most > 0);
  const VectorPanels left(all_of(x, xs), VectorPanels::Form::as_they_are, most);
  const VectorPanels right(all_of(y, ys), VectorPanels::Form::as_they_are, most);
  const double within = most * *rc::gen::inRange(0, 3000) / 1000.0;
  const PanelPairs found = candidates(
      left, right, [&](std::size_t row) { return left.distance_limit(row, right, within); });
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < y.rows; ++j) {
      const double square = xs[i] + ys[j] - 2 * dot(x, i, y, j);
      if (square <= within * within * (1 - 1e-12)) RC_ASSERT(found.count({i, j}) == 1U);
      if (square > within * within + 0.002 * most * most) RC_ASSERT(found.count({i, j}) == 0U);
    }
  }
}

TEST(PanelProducts, AreTheSameOnEveryInstructionSet) {
  constexpr std::size_t kPairs = 37;
  constexpr std::size_t kPanels = 3;
  std::vector<std::int16_t> panels(kPanels * kPairs * 2 * kPanelVectors);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    panels[i] = static_cast<std::int16_t>(static_cast<std::int64_t>(random64(1, i) % 7000) - 3500);
  }
  std::vector<std::int32_t> right_limits(kPanels * kPanelVectors);
  for (std::size_t i = 0; i < right_limits.size(); ++i) {
    right_limits[i] = static_cast<std::int32_t>(random64(2, i) % 20000000) - 10000000;
  }
  const std::vector<std::int32_t> left_limits(right_limits.begin(),
                                              right_limits.begin() + kPanelVectors);
  std::vector<std::uint32_t> expected(kPanels * kPanelVectors);
  for (std::size_t panel = 0; panel < kPanels; ++panel) {
    for (std::size_t x = 0; x < kPanelVectors; ++x) {
      for (std::size_t y = 0; y < kPanelVectors; ++y) {
        std::int64_t product = 0;
        for (std::size_t k = 0; k < 2 * kPairs; ++k) {
          const std::size_t at = k / 2 * kPanelVectors * 2 + k % 2;
          product += std::int64_t{panels[at + 2 * x]} *
                     panels[panel * kPairs * 2 * kPanelVectors + at + 2 * y];
        }
        const bool reaches = product >= left_limits[x] + right_limits[panel * kPanelVectors + y];
        expected[panel * kPanelVectors + x] |= static_cast<std::uint32_t>(reaches) << y;
      }
    }
  }
  for (const std::string_view target : kernels::simd_targets()) {
    ASSERT_TRUE(kernels::limit_simd(target));
    std::vector<std::uint32_t> hits(expected.size(), 0xFFFFFFFF);
    kernels::products_reaching(panels.data(), panels.data(), kPanels, kPairs, left_limits.data(),
                               right_limits.data(), hits.data());
    EXPECT_EQ(hits, expected) << target;
  }
  ASSERT_TRUE(kernels::limit_simd(kernels::simd_targets().front()));
}

TEST(PanelProducts, HoldTheLongestVectors) {
  // A single component of 32767, and the same length spread over the maximum dimension.
  for (const std::size_t dimension : {std::size_t{1}, std::size_t{2}, kMaxDimension}) {
    const VectorColumn column{2, dimension, std::vector<double>(2 * dimension, -1.0)};
    const std::vector<double> squares(2, static_cast<double>(dimension));
    const VectorPanels panels(all_of(column, squares), VectorPanels::Form::of_length_one, 0);
    const PanelPairs found =
        candidates(panels, panels, [&](std::size_t) { return panels.cosine_limit(panels, 1); });
    EXPECT_EQ(found.size(), 4U) << dimension;
  }
}

using kernels::kPanelVectors;

double uniform(std::uint64_t seed, std::uint64_t i) {
  return static_cast<double>(random64(seed, i) >> 11) * 0x1p-53 * 2 - 1;
}

struct Shape {
  std::size_t dimension;
  double size = 1;
  double offset = 0;  // offset of all components
  bool has_outliers = false;
};

// Groups of three rows, near each other to different degrees.
VectorColumn made(std::size_t rows, const Shape& shape, std::uint64_t seed) {
  std::vector<double> components;
  for (std::size_t row = 0; row < rows; ++row) {
    const double noise = std::abs(uniform(seed + 1, row));
    const double length = shape.has_outliers && row % 17 == 5 ? 1000 : 1;
    for (std::size_t i = 0; i < shape.dimension; ++i) {
      const double common = uniform(seed, row / 3 * shape.dimension + i);
      const double own = uniform(seed + 2, row * shape.dimension + i);
      components.push_back(shape.offset + shape.size * length * (common + noise * own));
    }
  }
  return {rows, shape.dimension, std::move(components)};
}

const std::vector<double>& of(const VectorColumn& column) {
  return std::get<std::vector<double>>(column.components);
}

std::vector<double> squares_of(const VectorColumn& column) {
  std::vector<double> squares(column.rows);
  for (std::size_t i = 0; i < of(column).size(); ++i) {
    squares[i / column.dimension] += of(column)[i] * of(column)[i];
  }
  return squares;
}

double distance(const VectorColumn& x, std::size_t i, double x_length, const VectorColumn& y,
                std::size_t j, double y_length) {
  double square = 0;
  for (std::size_t k = 0; k < x.dimension; ++k) {
    const double difference =
        of(x)[i * x.dimension + k] / x_length - of(y)[j * y.dimension + k] / y_length;
    square += difference * difference;
  }
  return std::sqrt(square);
}

RC_GTEST_PROP(BytePanels, MissNoPairAtAnyDistance, ()) {
  const bool unit = *rc::gen::arbitrary<bool>();
  const double size = *rc::gen::element(1e-40, 1.0, 1e40);
  const Shape shape{.dimension = static_cast<std::size_t>(*rc::gen::inRange(1, 150)),
                    .size = size,
                    .offset = size * *rc::gen::element(0.0, 100.0),
                    .has_outliers = *rc::gen::arbitrary<bool>()};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const VectorColumn x = made(50, shape, seed);
  const VectorColumn y = made(71, shape, seed);  // some of them the same
  const auto xs = squares_of(x);
  const auto ys = squares_of(y);
  const ByteScale scale =
      byte_scale_of({.left = all_of(x, xs), .right = all_of(y, ys), .of_length_one = unit});
  const BytePanels left(all_of(x, xs), scale);
  const BytePanels right(all_of(y, ys), scale);
  const double within = (unit ? 1 : size) * *rc::gen::inRange(0, 3000) / 1000.0;
  const auto limits = left.limits_within(within);
  const auto right_limits = right.limits_within(within);
  std::vector<std::uint32_t> hits(right.panel_count() * kPanelVectors);
  std::size_t far = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    if (i % kPanelVectors == 0) {
      left.candidates(i / kPanelVectors, std::span(limits).subspan(i, kPanelVectors),
                      {right, {0, right.panel_count()}, right_limits}, hits);
    }
    for (std::size_t j = 0; j < y.rows; ++j) {
      const bool hit =
          (hits[j / kPanelVectors * kPanelVectors + i % kPanelVectors] >> (j % kPanelVectors) &
           1U) != 0;
      const double apart =
          distance(x, i, unit ? std::sqrt(xs[i]) : 1, y, j, unit ? std::sqrt(ys[j]) : 1);
      if (apart <= within * (1 - 1e-9)) RC_ASSERT(hit);
      if (hit && apart > within + (unit ? 0.2 : 0.4 * size)) ++far;
    }
  }
  // Without outliers, hardly more pairs pass.
  if (!shape.has_outliers && shape.dimension > 8) RC_ASSERT(far <= x.rows * y.rows / 100);
}

RC_GTEST_PROP(BytePanels, MissNoneOfTheNearest, ()) {
  const bool unit = *rc::gen::arbitrary<bool>();
  const double size = *rc::gen::element(1e-40, 1.0, 1e40);
  const Shape shape{.dimension = static_cast<std::size_t>(*rc::gen::inRange(1, 150)),
                    .size = size,
                    .offset = size * *rc::gen::element(0.0, 100.0),
                    .has_outliers = *rc::gen::arbitrary<bool>()};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const VectorColumn x = made(50, shape, seed);
  const VectorColumn y = made(71, shape, seed);
  const auto xs = squares_of(x);
  const auto ys = squares_of(y);
  const ByteScale scale =
      byte_scale_of({.left = all_of(x, xs), .right = all_of(y, ys), .of_length_one = unit});
  const BytePanels left(all_of(x, xs), scale);
  const BytePanels right(all_of(y, ys), scale);
  const auto apart = [&](std::size_t i, std::size_t j) {
    return distance(x, i, unit ? std::sqrt(xs[i]) : 1, y, j, unit ? std::sqrt(ys[j]) : 1);
  };
  // Each row looks for rows at least as near as a given one; every seventh has no limit.
  const auto nearest = right.limits_of_nearest(apart(1, 40) * *rc::gen::element(0.1, 1.0, 3.0));
  std::vector<std::int32_t> limits(left.panel_count() * kPanelVectors, BytePanels::kEveryPair);
  for (std::size_t i = 0; i < x.rows; ++i) {
    if (i % 7 == 0) continue;
    limits[i] = left.nearer_than(apart(i, 5 * i % y.rows) * (1 + 1e-9), i, nearest);
  }
  std::vector<std::uint32_t> hits(right.panel_count() * kPanelVectors);
  std::size_t far = 0;
  for (std::size_t i = 0; i < x.rows; ++i) {
    if (i % kPanelVectors == 0) {
      left.candidates(i / kPanelVectors, std::span(limits).subspan(i, kPanelVectors),
                      {right, {0, right.panel_count()}, nearest.limits}, hits);
    }
    const double within = apart(i, 5 * i % y.rows);
    for (std::size_t j = 0; j < y.rows; ++j) {
      const bool hit =
          (hits[j / kPanelVectors * kPanelVectors + i % kPanelVectors] >> (j % kPanelVectors) &
           1U) != 0;
      if (i % 7 == 0 || apart(i, j) <= within) RC_ASSERT(hit);
      if (i % 7 != 0 && hit && apart(i, j) > within + (unit ? 0.5 : size)) ++far;
    }
  }
  if (!shape.has_outliers && shape.dimension > 8) RC_ASSERT(far <= x.rows * y.rows / 100);
}

// The scale is derived from one column only; the rows of the other one exceed it by far.
RC_GTEST_PROP(BytePanels, MissNoneOfRowsThatTheScaleIsNotMadeOf, ()) {
  const bool unit = *rc::gen::arbitrary<bool>();
  const auto dimension = static_cast<std::size_t>(*rc::gen::element(1, 3, 40, 5000));
  const double times = *rc::gen::element(1e-3, 1.0, 3.0, 1e3, 1e150);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const VectorColumn y = made(40, {.dimension = dimension}, seed);
  const VectorColumn x = made(34, {.dimension = dimension, .size = times}, seed);
  const auto xs = squares_of(x);
  const auto ys = squares_of(y);
  const ByteScale scale =
      byte_scale_of({.left = all_of(y, ys), .right = {}, .of_length_one = unit});
  const BytePanels left(all_of(x, xs), scale);
  const BytePanels right(all_of(y, ys), scale);
  const auto apart = [&](std::size_t i, std::size_t j) {
    return distance(x, i, unit ? std::sqrt(xs[i]) : 1, y, j, unit ? std::sqrt(ys[j]) : 1);
  };
  const auto limits = right.limits_of_nearest(*rc::gen::element(0.0, 0.1, 1.0, 10.0));
  std::vector<std::int32_t> left_limits(2 * kPanelVectors);
  for (std::size_t i = 0; i < x.rows; ++i) {
    left_limits[i] = left.nearer_than(apart(i, i % y.rows) * (1 + 1e-9), i, limits);
  }
  std::vector<std::uint32_t> hits(2 * kPanelVectors);
  for (std::size_t i = 0; i < x.rows; ++i) {
    if (i % kPanelVectors == 0) {
      left.candidates(i / kPanelVectors, std::span(left_limits).subspan(i, kPanelVectors),
                      {right, {0, 2}, limits.limits}, hits);
    }
    for (std::size_t j = 0; j < y.rows; ++j) {
      const bool hit =
          (hits[j / kPanelVectors * kPanelVectors + i % kPanelVectors] >> (j % kPanelVectors) &
           1U) != 0;
      if (apart(i, j) <= apart(i, i % y.rows)) RC_ASSERT(hit);
    }
  }
}

TEST(BytePanels, LetEveryPairPassWhereLengthsLeaveDoubles) {
  const VectorColumn x = made(3, {.dimension = 4, .size = 1e200}, 1);
  const auto squares = squares_of(x);
  const ByteScale scale = byte_scale_of({.left = all_of(x, squares), .right = {}});
  const BytePanels panels(all_of(x, squares), scale);
  std::vector<std::uint32_t> hits(kPanelVectors);
  auto limits = panels.limits_within(0);
  panels.candidates(0, limits, {panels, {0, 1}, limits}, hits);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(hits[i] & 7U, 7U);
  const auto nearest = panels.limits_of_nearest(1);
  for (std::size_t i = 0; i < 3; ++i) limits[i] = panels.nearer_than(0, i, nearest);
  panels.candidates(0, limits, {panels, {0, 1}, nearest.limits}, hits);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(hits[i] & 7U, 7U);
}

TEST(ByteProducts, AreTheSameOnEveryInstructionSet) {
  constexpr std::size_t kPanels = 3;
  for (const std::size_t dimension : {1U, 3U, 64U, 65U, 100U, 128U, 200U, 777U}) {
    const std::size_t quads = kernels::padded_quads(dimension);
    ASSERT_GE(4 * quads, dimension);
    const std::size_t size = 4 * quads;
    const std::size_t steps = kernels::quad_steps(quads);
    std::vector<std::int8_t> left(steps * kPanelVectors * kernels::kStepBytes);
    std::vector<std::int8_t> right(kPanels * kPanelVectors * size);
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] = static_cast<std::int8_t>(static_cast<int>(random64(1, i) % 255) - 127);
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      right[i] = static_cast<std::int8_t>(static_cast<int>(random64(2, i) % 255) - 127);
    }
    std::vector<std::int32_t> limits(kPanels * kPanelVectors);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      limits[i] = static_cast<std::int32_t>(random64(3, i) % 100000) - 50000;
    }
    std::vector<std::uint32_t> expected(kPanels * kPanelVectors);
    for (std::size_t panel = 0; panel < kPanels; ++panel) {
      for (std::size_t x = 0; x < kPanelVectors; ++x) {
        for (std::size_t y = 0; y < kPanelVectors; ++y) {
          std::int64_t product = 0;
          for (std::size_t i = 0; i < size; ++i) {
            const std::size_t step = i / (size / steps);
            const std::size_t place = i % (size / steps);
            product +=
                left[(step * kPanelVectors + x) * kernels::kStepBytes + place] *
                right[panel * kPanelVectors * size + (i / 4 * kPanelVectors + y) * 4 + i % 4];
          }
          const bool reaches = product >= limits[x] + limits[panel * kPanelVectors + y];
          expected[panel * kPanelVectors + x] |= static_cast<std::uint32_t>(reaches) << y;
        }
      }
    }
    for (const std::string_view target : kernels::simd_targets()) {
      ASSERT_TRUE(kernels::limit_simd(target));
      std::vector<std::uint32_t> hits(expected.size(), 0xFFFFFFFF);
      kernels::ByteProducts products{.left = left.data(),
                                     .right = right.data(),
                                     .right_count = kPanels,
                                     .quads = quads,
                                     .left_limits = limits.data(),
                                     .right_limits = limits.data()};
      kernels::byte_products_reaching(products, hits.data());
      EXPECT_EQ(hits, expected) << target << " " << dimension;
      for (const std::size_t count : {1U, 2U, 3U, 9U, 31U}) {
        products.left_count = count;
        hits.assign(expected.size(), 0xFFFFFFFF);
        kernels::byte_products_reaching(products, hits.data());
        for (std::size_t i = 0; i < hits.size(); ++i) {
          if (i % kPanelVectors >= count) hits[i] = expected[i];
        }
        EXPECT_EQ(hits, expected) << target << " " << dimension << " " << count;
      }
    }
    ASSERT_TRUE(kernels::limit_simd(kernels::simd_targets().front()));
  }
}

}  // namespace
}  // namespace sosie
