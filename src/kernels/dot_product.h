#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Sums over the components of two vectors. For 8-bit components, they are exact for up to 2^17
// components. Other components are converted to doubles and added to eight sums in turn, which are
// finally added from first to last. Products and sums are rounded separately, so the result has
// identical bits on every CPU.
[[nodiscard]] double dot_product(const std::int8_t* x, const std::int8_t* y,
                                 std::size_t dimension) noexcept;
[[nodiscard]] double dot_product(const std::uint8_t* x, const std::uint8_t* y,
                                 std::size_t dimension) noexcept;
[[nodiscard]] double dot_product(const float* x, const float* y, std::size_t dimension) noexcept;
[[nodiscard]] double dot_product(const double* x, const double* y, std::size_t dimension) noexcept;

// Dot products of x with `count` consecutive rows. No component may be -128, so that up to 2^17
// products fit in 32 bits.
void dot_products(const std::int8_t* x, const std::int8_t* rows, std::size_t count,
                  std::size_t dimension, std::int64_t* out) noexcept;

// Sum of squared differences.
[[nodiscard]] double square_distance(const std::int8_t* x, const std::int8_t* y,
                                     std::size_t dimension) noexcept;
[[nodiscard]] double square_distance(const std::uint8_t* x, const std::uint8_t* y,
                                     std::size_t dimension) noexcept;
[[nodiscard]] double square_distance(const float* x, const float* y,
                                     std::size_t dimension) noexcept;
[[nodiscard]] double square_distance(const double* x, const double* y,
                                     std::size_t dimension) noexcept;

// Sum of absolute differences.
[[nodiscard]] double sum_of_differences(const std::int8_t* x, const std::int8_t* y,
                                        std::size_t dimension) noexcept;
[[nodiscard]] double sum_of_differences(const std::uint8_t* x, const std::uint8_t* y,
                                        std::size_t dimension) noexcept;
[[nodiscard]] double sum_of_differences(const float* x, const float* y,
                                        std::size_t dimension) noexcept;
[[nodiscard]] double sum_of_differences(const double* x, const double* y,
                                        std::size_t dimension) noexcept;

}  // namespace sosie::kernels
