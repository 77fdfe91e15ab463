#include "candidates/vector_panels.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/mix64.h"
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

// Rows in small groups that lie near to each other.
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
  // One component of 32767, and the same length spread over the largest dimension.
  for (const std::size_t dimension : {std::size_t{1}, std::size_t{2}, kMaxDimension}) {
    const VectorColumn column{2, dimension, std::vector<double>(2 * dimension, -1.0)};
    const std::vector<double> squares(2, static_cast<double>(dimension));
    const VectorPanels panels(all_of(column, squares), VectorPanels::Form::of_length_one, 0);
    const PanelPairs found =
        candidates(panels, panels, [&](std::size_t) { return panels.cosine_limit(panels, 1); });
    EXPECT_EQ(found.size(), 4U) << dimension;
  }
}

}  // namespace
}  // namespace sosie
