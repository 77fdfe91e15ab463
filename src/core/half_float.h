#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sosie {

// The value of an IEEE 754 binary16 number.
[[nodiscard]] inline float from_half_float(std::uint16_t bits) {
  const bool negative = bits >> 15 != 0;
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  float value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<float>::infinity()
                          : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    value = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return negative ? -value : value;
}

}  // namespace sosie
