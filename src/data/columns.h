#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
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

// Bit strings of one length, row-major; the bits behind the last one of a row are 0.
struct BitColumn {
  std::size_t rows = 0;
  std::size_t bits = 0;             // bits of a row
  std::size_t words = 0;            // 64-bit words of a row
  std::vector<std::uint64_t> data;  // rows * words

  [[nodiscard]] const std::uint64_t* row(std::size_t i) const noexcept {
    return data.data() + i * words;
  }
};

// Beyond this, shared and united bits, multiplied with a threshold, would not fit 64 bits.
inline constexpr std::size_t kMostBits = std::size_t{1} << 24;

// A string of symbols in memory. Symbols stand for code points: equal ones for equal ones in all
// strings of a column. In `width` bytes each: 1, 2 or 4, native byte order.
struct SymbolSpan {
  const std::byte* data = nullptr;
  std::uint32_t length = 0;  // symbols
  std::uint8_t width = 1;

  // Equal for equal strings of one column.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(data), std::size_t{length} * width};
  }
};

// Bytes that may be read behind the last symbol of some columns, so that short strings are compared
// by words.
inline constexpr std::size_t kReadBehind = 8;

// Strings of a run as symbols below `alphabet`, all of one width, which is the least that this
// takes.
struct StringColumn {
  std::uint8_t width = 1;
  std::uint32_t alphabet = 0;
  std::vector<std::uint64_t> starts = {0};  // begin of each string, in symbols; then the end
  std::vector<std::byte> symbols;

  [[nodiscard]] std::size_t rows() const noexcept { return starts.size() - 1; }
  [[nodiscard]] std::uint32_t length(std::size_t row) const noexcept {
    return static_cast<std::uint32_t>(starts[row + 1] - starts[row]);
  }
  [[nodiscard]] SymbolSpan row(std::size_t i) const noexcept {
    return {symbols.data() + starts[i] * width, length(i), width};
  }
};

}  // namespace sosie
