#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Number of texts compared at a time.
inline constexpr std::size_t kEditLanes = 8;

// Levenshtein distances between a string of `rows` symbols (1 to 64) and kEditLanes texts with one
// byte per symbol. There are 256 masks; bit i of masks[s] is set if symbol i of the string is s.
// Source: Myers, J. ACM 46, 1999; Hyyrö 2003.
void edit_lanes(const std::uint64_t* masks, std::uint32_t rows, const std::uint8_t* const* texts,
                const std::uint32_t* lengths, std::uint32_t* distances) noexcept;

}  // namespace sosie::kernels
