#pragma once

#include <cstdint>

namespace sosie {

// Vectors or bit strings of one length that lie in the caller's memory, row after row without gaps.
// What uses it copies what it keeps.
struct ItemArray {
  enum class Type : std::uint8_t { int8, uint8, float32, float64, bits };
  Type type = Type::float32;
  const void* data = nullptr;
  std::uint64_t rows = 0;
  std::uint64_t width = 0;  // components of a row; of bits bytes, the first bit the highest of one
};

}  // namespace sosie
