#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Which of `count` signatures differ from one in no more than `most` bits: their numbers,
// ascending, into `near`, which has room for `count`. Returns how many.
std::size_t near_signatures(std::uint64_t signature, const std::uint64_t* others, std::size_t count,
                            std::uint32_t most, std::uint32_t* near) noexcept;

}  // namespace sosie::kernels
