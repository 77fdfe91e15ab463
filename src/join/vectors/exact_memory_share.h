#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie {

// Memory that an exact join or search of vectors may take besides the vectors.
struct ExactMemoryShare {
  std::uint64_t panel_bytes = ~std::uint64_t{0};        // for panels of right rows
  std::uint64_t pair_bytes = std::uint64_t{256} << 20;  // for pairs
};

struct ExactNeeds {
  std::uint64_t besides = 0;       // bytes that are there as long as it lasts, vectors included
  std::uint64_t memory_bytes = 0;  // that the run may take
  std::size_t dimension = 0;
  unsigned threads = 1;
};

// Throws Error{limit_exceeded}, saying what would be enough, when there is too little.
[[nodiscard]] ExactMemoryShare exact_memory_share(const ExactNeeds& needs);

// The least that a join or search can do with, and what it then takes besides the vectors. A join
// with few left rows loses nothing by it.
[[nodiscard]] ExactMemoryShare least_memory_share(std::size_t dimension) noexcept;
[[nodiscard]] std::uint64_t least_exact_bytes(std::size_t dimension, unsigned threads) noexcept;

// Bytes of a row of an exact join besides its components: its squared length, and the hash by which
// equal rows are found.
inline constexpr std::uint64_t kExactRowBytes = 32;

// Left panels that a task of a join takes: their rows stay in the first cache.
inline constexpr std::size_t kLeftPanels = 4;

}  // namespace sosie
