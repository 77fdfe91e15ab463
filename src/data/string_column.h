#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sosie {

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
