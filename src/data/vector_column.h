#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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

// Some rows of a column, in any order. What it refers to outlives it.
struct VectorSubset {
  const VectorColumn* column = nullptr;
  std::span<const double> squares = {};   // squared lengths of all rows of the column
  const std::uint32_t* listed = nullptr;  // rows of the column; null: they stand behind each other
  std::size_t begin = 0;                  // in the list, or in the column
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  // In the column.
  [[nodiscard]] std::size_t row(std::size_t i) const noexcept {
    return listed == nullptr ? begin + i : listed[begin + i];
  }
  [[nodiscard]] double square(std::size_t i) const noexcept { return squares[row(i)]; }
  [[nodiscard]] VectorSubset part(std::size_t first, std::size_t last) const noexcept {
    return {column, squares, listed, begin + first, begin + last};
  }
};

[[nodiscard]] inline VectorSubset all_of(const VectorColumn& column,
                                         std::span<const double> squares) noexcept {
  return {&column, squares, nullptr, 0, column.rows};
}

[[nodiscard]] inline VectorSubset some_of(const VectorColumn& column,
                                          std::span<const double> squares,
                                          std::span<const std::uint32_t> rows) noexcept {
  static constexpr std::uint32_t kNone = 0;
  return {&column, squares, rows.empty() ? &kNone : rows.data(), 0, rows.size()};
}

// The greatest of their squared lengths; 0 of none.
[[nodiscard]] inline double largest_square(const VectorSubset& vectors) noexcept {
  double most = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) most = std::max(most, vectors.square(i));
  return most;
}

// Beyond this, sums of products of 8-bit components, multiplied out with a threshold, would not fit
// 128 bits.
inline constexpr std::size_t kMaxDimension = std::size_t{1} << 17;

}  // namespace sosie
