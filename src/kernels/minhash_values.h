#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Value of an empty component while a signature is being computed.
inline constexpr std::uint32_t kEmptyBin = 0xFFFFFFFFU;

// values[i] = upper half of shingles[i] * multiplier, the 32-bit value that represents the shingle.
void minhash_values(const std::uint64_t* shingles, std::size_t count, std::uint64_t multiplier,
                    std::uint32_t* values) noexcept;

// One-permutation hashing: the low bits of a value select its bin, and bins[v mod K] becomes the
// smallest value in that bin. K = bin_count is a power of two and at least 16. At the start, each
// bin must contain kEmptyBin or an earlier minimum.
void minhash_bins(const std::uint32_t* values, std::size_t count, std::uint32_t* bins,
                  std::size_t bin_count) noexcept;

// Permfill: each empty bin j receives the smallest a[j] * v + b[j] (mod 2^32) over all values. Its
// low bits are replaced with j xor 1, the number of another bin, so that it can never equal a value
// of bin j.
void minhash_fill(const std::uint32_t* values, std::size_t count, const std::uint32_t* a,
                  const std::uint32_t* b, std::uint32_t* bins, std::size_t bin_count) noexcept;

}  // namespace sosie::kernels
