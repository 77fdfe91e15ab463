#include "kernels/rotate_to_signs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/mix64.h"
#include "kernels/on_every_target_test.h"

namespace sosie::kernels {
namespace {

struct Input {
  std::vector<float> values;
  std::vector<std::uint64_t> flips;
};

Input input(std::size_t width) {
  Input made;
  for (std::size_t i = 0; i < width * kRotatedVectors; ++i) {
    const auto whole = static_cast<double>(random64(width, i) % 2000001) - 1000000;
    made.values.push_back(static_cast<float>(whole / 1e6));
  }
  for (std::size_t i = 0; i < kRotationTurns * width / 64; ++i) {
    made.flips.push_back(random64(width + 1, i));
  }
  return made;
}

// Plain form of the header's definition: one vector, stage after stage.
std::vector<float> rotated(const Input& from, std::size_t width, std::size_t vector) {
  std::vector<float> x(width);
  for (std::size_t k = 0; k < width; ++k) x[k] = from.values[k * kRotatedVectors + vector];
  for (std::size_t turn = 0; turn < kRotationTurns; ++turn) {
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t bit = turn * width + k;
      if ((from.flips[bit / 64] >> (bit % 64) & 1) != 0) x[k] = -x[k];
    }
    for (std::size_t half = 1; half < width; half *= 2) {
      for (std::size_t k = 0; k < width; ++k) {
        if ((k & half) != 0) continue;
        const float a = x[k];
        const float b = x[k + half];
        x[k] = a + b;
        x[k + half] = a - b;
      }
    }
  }
  return x;
}

TEST(SignRotations, AreTheSameBitsWithEveryInstructionSet) {
  for (const std::size_t width : {256U, 512U, 1024U, 2048U, 4096U}) {
    const Input from = input(width);
    std::vector<std::vector<float>> expected;
    for (std::size_t v = 0; v < kRotatedVectors; ++v) expected.push_back(rotated(from, width, v));
    on_every_target([&](std::string_view target) {
      std::vector<float> values = from.values;
      std::vector<std::uint64_t> signs(kRotatedVectors * width / 64);
      rotate_to_signs(values.data(), width, from.flips.data(), signs.data());
      for (std::size_t v = 0; v < kRotatedVectors; ++v) {
        for (std::size_t k = 0; k < width; ++k) {
          ASSERT_EQ(values[k * kRotatedVectors + v], expected[v][k]) << target << " " << width;
          ASSERT_EQ((signs[v * width / 64 + k / 64] >> (k % 64) & 1) != 0, expected[v][k] >= 0)
              << target << " " << width << " component " << k;
        }
      }
    });
  }
}

// Each rotation multiplies a vector's length by sqrt(width), and leaves zero vectors zero.
TEST(SignRotations, KeepLengthsAndTakeZeroForPositive) {
  constexpr std::size_t kWidth = 1024;
  Input from = input(kWidth);
  for (std::size_t k = 0; k < kWidth; ++k) from.values[k * kRotatedVectors + 3] = 0;
  double before = 0;
  double after = 0;
  for (const float x : rotated(from, kWidth, 0)) after += double{x} * x;
  for (std::size_t k = 0; k < kWidth; ++k) {
    before += std::pow(double{from.values[k * kRotatedVectors]}, 2);
  }
  EXPECT_NEAR(after / before, std::pow(kWidth, 3), 1e4);
  std::vector<std::uint64_t> signs(kRotatedVectors * kWidth / 64);
  rotate_to_signs(from.values.data(), kWidth, from.flips.data(), signs.data());
  for (std::size_t word = 0; word < kWidth / 64; ++word) {
    EXPECT_EQ(signs[3 * kWidth / 64 + word], ~std::uint64_t{0});
  }
}

}  // namespace
}  // namespace sosie::kernels
