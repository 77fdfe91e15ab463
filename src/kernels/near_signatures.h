#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Writes to `near`, in ascending order, the numbers of the signatures that differ from `signature`
// by at most `most` bits, and returns how many there are. `near` must have space for `count`
// numbers.
std::size_t near_signatures(std::uint64_t signature, const std::uint64_t* others, std::size_t count,
                            std::uint32_t most, std::uint32_t* near) noexcept;

}  // namespace sosie::kernels
