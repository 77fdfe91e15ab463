#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sosie {

// MinHash by explicit permutations (MMDS 3.3.5), bit for bit as in the Python library datasketch:
// lowers minima[k] to the smallest value of permutation k over all hashes. a, b and minima have the
// same length. O(hashes * permutations).

// Permutes by a[k] * m + b[k] modulo 2^32, where m is the hash mixed by the finalizer of
// MurmurHash3 (scheme "affine32" of datasketch 2.0; with 64 bits, "affine64").
void lower_minima(std::span<const std::uint32_t> hashes, std::span<const std::uint32_t> a,
                  std::span<const std::uint32_t> b, std::span<std::uint32_t> minima);
void lower_minima(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                  std::span<const std::uint64_t> b, std::span<std::uint64_t> minima);

// Permutes by the low 32 bits of ((a[k] * hash + b[k]) modulo 2^64) modulo 2^61 - 1 (scheme
// "legacy", the only one before 2.0).
void lower_minima_legacy(std::span<const std::uint64_t> hashes, std::span<const std::uint64_t> a,
                         std::span<const std::uint64_t> b, std::span<std::uint64_t> minima);

// First eight bytes of the SHA-1 digest (RFC 3174) of each item as a little-endian number; its low
// half is the number in the first four bytes. For sketches only: these hashes do not resist
// deliberate collisions. `prefixes` is as long as `items`. O(bytes).
void sha1_prefixes(std::span<const std::string_view> items, std::span<std::uint64_t> prefixes);

}  // namespace sosie
