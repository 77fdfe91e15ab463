#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Band keys have this many bits; some false members of a bucket per band and ten million documents
// are dropped by verification.
inline constexpr int kBandKeyBits = 40;

// keys[i] = a hash of rows [i*r, (i+1)*r) of the signature, below 2^kBandKeyBits, different for
// equal values in different bands. keys.size() is b; b * r <= signature.size().
void band_keys(std::span<const std::uint32_t> signature, int rows, std::span<std::uint64_t> keys);

// The signature cut to 8 bits a component. The components are mixed first: their raw low bits name
// the bin and would agree between unrelated sets.
void filter_signature(std::span<const std::uint32_t> signature, std::span<std::uint8_t> filter);

}  // namespace sosie
