#pragma once

#include <zlib.h>

namespace sosie {

// zlib declares its input as non-const.
inline Bytef* zlib_bytes(const char* bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes));
}

}  // namespace sosie
