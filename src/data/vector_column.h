#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace sosie {

// Vectors of one dimension, in the narrowest type that holds every component exactly as it was
// read: row-major, rows * dimension components.
struct VectorColumn {
  using Components = std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>,
                                  std::vector<float>, std::vector<double>>;
  std::size_t rows = 0;
  std::size_t dimension = 0;
  Components components;
};

// Beyond this, sums of products of 8-bit components, multiplied out with a threshold, would not fit
// 128 bits.
inline constexpr std::size_t kMaxDimension = std::size_t{1} << 17;

}  // namespace sosie
