// Tests that products above a limit are found with every instruction set.
#include "kernels/products_above.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/mix64.h"
#include "kernels/on_every_target_test.h"

namespace sosie::kernels {
namespace {

TEST(ProductsAbove, AreThoseAboveAlone) {
  on_every_target([](std::string_view target) {
    for (const std::size_t count : {0U, 1U, 15U, 64U, 65U, 1000U}) {
      for (const std::uint64_t part : {1U, 3U, 100U}) {
        std::vector<float> left;
        std::vector<float> right;
        std::vector<std::uint32_t> expected;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t random = random64(count, i);
          left.push_back(random % part == 0 ? 4.0F : random % 2 == 0 ? 2.0F : 0.0F);
          right.push_back(random % 7 == 0 ? 0.25F : 0.5F);
          if (left.back() * right.back() > 1) expected.push_back(static_cast<std::uint32_t>(i));
        }
        std::vector<std::uint32_t> found(count + kSpareIndexes);
        found.resize(products_above(left.data(), right.data(), count, 1.0F, found.data()));
        EXPECT_EQ(found, expected) << target << ' ' << count << ' ' << part;
      }
    }
  });
}

}  // namespace
}  // namespace sosie::kernels
