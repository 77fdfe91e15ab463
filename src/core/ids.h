#pragma once

#include <cstdint>

namespace sosie {

// A row's number, counted from 0 over all inputs.
using RowId = std::uint32_t;
inline constexpr RowId kNoRow = ~RowId{0};

// Where a row's bytes are, its line end included.
struct RowLocator {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t file = 0;  // index of the input file
};

}  // namespace sosie
