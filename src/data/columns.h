#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace sosie {

// Vectors of equal dimension, in the narrowest type that represents every component exactly as
// read: row-major, rows * dimension components.
struct VectorColumn {
  using Components = std::variant<std::vector<std::int8_t>, std::vector<std::uint8_t>,
                                  std::vector<float>, std::vector<double>>;
  std::size_t rows = 0;
  std::size_t dimension = 0;
  Components components;
};

// Some rows of a column, in any order. The column and the spans must outlive the subset.
struct VectorSubset {
  const VectorColumn* column = nullptr;
  std::span<const double> squares = {};   // squared lengths of all rows of the column
  const std::uint32_t* listed = nullptr;  // rows of the column; null: consecutive rows
  std::size_t begin = 0;                  // in the list, or in the column
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  // Row number in the column.
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

// The largest squared length among these vectors; 0 if there are none.
[[nodiscard]] inline double largest_square(const VectorSubset& vectors) noexcept {
  double most = 0;
  for (std::size_t i = 0; i < vectors.size(); ++i) most = std::max(most, vectors.square(i));
  return most;
}

// In higher dimensions, sums of products of 8-bit components, multiplied by a threshold, would not
// fit in 128 bits.
inline constexpr std::size_t kMaxDimension = std::size_t{1} << 17;

// Bit strings of equal length, row-major. The bits after the last bit of a row are 0.
struct BitColumn {
  std::size_t rows = 0;
  std::size_t bits = 0;             // bits of a row
  std::size_t words = 0;            // 64-bit words per row
  std::vector<std::uint64_t> data;  // rows * words

  [[nodiscard]] const std::uint64_t* row(std::size_t i) const noexcept {
    return data.data() + i * words;
  }
};

// With more bits, the numbers of shared and united bits, multiplied by a threshold, would not fit
// in 64 bits.
inline constexpr std::size_t kMostBits = std::size_t{1} << 24;

// A string of symbols in memory. Throughout a column, a symbol stands for the same code point. Each
// symbol takes `width` bytes (1, 2 or 4) in native byte order.
struct SymbolSpan {
  const std::byte* data = nullptr;
  std::uint32_t length = 0;  // symbols
  std::uint8_t width = 1;

  // Equal strings of the same column have equal bytes.
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(data), std::size_t{length} * width};
  }
};

// Number of bytes after the last symbol of some columns that can be read safely, so that short
// strings can be compared word by word.
inline constexpr std::size_t kReadBehind = 8;

// The strings of a run as symbols below `alphabet`. All symbols have the same width, the smallest
// possible.
struct StringColumn {
  std::uint8_t width = 1;
  std::uint32_t alphabet = 0;
  std::vector<std::uint64_t> starts = {0};  // start of each string, in symbols; then the end
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
