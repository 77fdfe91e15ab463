#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// The loops of sosie/lower_minima.h. Hashes of the affine permutations come mixed.
void affine_minima(const std::uint32_t* mixed, std::size_t count, const std::uint32_t* a,
                   const std::uint32_t* b, std::uint32_t* minima,
                   std::size_t permutations) noexcept;
void affine_minima(const std::uint64_t* mixed, std::size_t count, const std::uint64_t* a,
                   const std::uint64_t* b, std::uint64_t* minima,
                   std::size_t permutations) noexcept;
void legacy_minima(const std::uint64_t* hashes, std::size_t count, const std::uint64_t* a,
                   const std::uint64_t* b, std::uint64_t* minima,
                   std::size_t permutations) noexcept;

}  // namespace sosie::kernels
