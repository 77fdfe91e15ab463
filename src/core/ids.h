#pragma once

#include <cstdint>

namespace sosie {

// A row's number, counted from 0 over all inputs.
using RowId = std::uint32_t;
inline constexpr RowId kNoRow = ~RowId{0};

}  // namespace sosie
