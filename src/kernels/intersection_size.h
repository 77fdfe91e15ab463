#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Sorts `count` well-mixed hashes and removes duplicates; returns the number that remain. Hashes
// should be spread evenly over 64 bits (other input is sorted correctly, but slowly). `scratch`
// must have space for `count` hashes.
[[nodiscard]] std::size_t sort_unique_hashes(std::uint64_t* hashes, std::size_t count,
                                             std::uint64_t* scratch) noexcept;

// |A and B| of two ascending lists without duplicates.
[[nodiscard]] std::size_t intersection_size(const std::uint64_t* a, std::size_t a_count,
                                            const std::uint64_t* b, std::size_t b_count) noexcept;

}  // namespace sosie::kernels
