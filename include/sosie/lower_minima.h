#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sosie {

// MinHash with explicit permutations (MMDS 3.3.5), bit for bit as in the Python library datasketch.
// minima[k] is lowered to the smallest value of permutation k over all hashes. a, b and minima must
// have the same length. O(hashes * permutations).

// Permutation k maps a hash to a[k] * m + b[k] modulo 2^32, where m is the hash after the
// MurmurHash3 finalizer (scheme "affine32" of datasketch 2.0; the 64-bit version is "affine64").
void lower_minima(std::span<const std::uint32_t> hashes, std::span<const std::uint32_t> a,
                  std::span<const std::uint32_t> b, std::span<std::uint32_t> minima);
void lower_minima(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                  std::span<const std::uint64_t> b, std::span<std::uint64_t> minima);

// Permutation k maps a hash to the low 32 bits of ((a[k] * hash + b[k]) modulo 2^64) modulo 2^61 -
// 1 (scheme "legacy", the only one before 2.0).
void lower_minima_legacy(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                         std::span<const std::uint64_t> b, std::span<std::uint64_t> minima);

// Computes the first eight bytes of each item's SHA-1 digest (RFC 3174) as a little-endian number;
// the low half of this number is the number in the first four bytes. For sketches only: these
// hashes do not resist deliberate collisions. `prefixes` must be as long as `items`. O(bytes).
void sha1_prefixes(std::span<const std::string_view> items, std::span<std::uint64_t> prefixes);

}  // namespace sosie
