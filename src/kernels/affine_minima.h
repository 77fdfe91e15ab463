#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Lowers each minima[k] to the smallest a[k] * hash + b[k] over `count` hashes. a, b and minima
// contain `permutations` numbers. affine_minima: modulo 2^32 or 2^64, for hashes that are already
// mixed. legacy_minima: the low 32 bits, modulo 2^61 - 1. MMDS 3.3.5.
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
