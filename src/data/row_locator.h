#pragma once

#include <cstdint>

namespace sosie {

// Where a row's bytes are, its line end included.
struct RowLocator {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint32_t file = 0;  // index of the input file
};

}  // namespace sosie
