#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Writes the numbers of the signatures that differ from `signature` in at most `most` bits,
// ascending, to `near`, which has space for `count`. Returns how many there are.
std::size_t near_signatures(std::uint64_t signature, const std::uint64_t* others, std::size_t count,
                            std::uint32_t most, std::uint32_t* near) noexcept;

}  // namespace sosie::kernels
