#pragma once

#include <cstdint>

namespace sosie {

// Work of an exact join: postings of the prefix index that each filter left, in the order they are
// applied, then pairs.
struct JoinCounts {
  std::uint64_t indexed = 0;  // postings in the index
  std::uint64_t length = 0;
  std::uint64_t position = 0;
  std::uint64_t suffix = 0;
  std::uint64_t signature = 0;
  std::uint64_t verified = 0;  // pairs compared token by token
  std::uint64_t pairs = 0;     // found
};

}  // namespace sosie
