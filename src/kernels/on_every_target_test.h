#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "kernels/simd.h"

namespace sosie::kernels {

// Runs the check with every available instruction set, best first.
template <class Check>
void on_every_target(const Check& check) {
  const auto targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const std::string_view target : targets) {
    ASSERT_TRUE(limit_simd(target)) << target;
    check(target);
  }
  ASSERT_TRUE(limit_simd(targets.front()));
}

}  // namespace sosie::kernels
