#pragma once

#include <cstdint>

namespace sosie {

// `bytes`, or what tests have made of it (sosie/piece_sizes.h); a power of two stays one.
[[nodiscard]] std::uint64_t piece_size(std::uint64_t bytes) noexcept;

}  // namespace sosie
