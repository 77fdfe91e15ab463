#pragma once

#include <cstdint>

namespace sosie {

// Vectors or bit strings of equal length in the caller's memory, row after row without gaps.
// Functions copy whatever data they keep.
struct ItemArray {
  enum class Type : std::uint8_t { int8, uint8, float32, float64, bits };
  Type type = Type::float32;
  const void* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t width = 0;  // components per row; bits: bytes, first bit highest
};

}  // namespace sosie
