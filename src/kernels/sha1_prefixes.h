#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Computes the first eight bytes of the SHA-1 digests (RFC 3174) of `count` items as little-endian
// numbers. Several items are processed at a time, each in one lane of a register.
void sha1_prefixes(const char* const* items, const std::size_t* sizes, std::size_t count,
                   std::uint64_t* prefixes) noexcept;

}  // namespace sosie::kernels
