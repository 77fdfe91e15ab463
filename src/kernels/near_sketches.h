#pragma once

#include <cstddef>
#include <cstdint>

namespace sosie::kernels {

// Bit strings of `words` 64-bit words are arranged in blocks of kSketchBlock strings: word w of
// string s in a block is at [w * kSketchBlock + s].
inline constexpr std::size_t kSketchBlock = 8;

// Finds the strings in `count` consecutive blocks that differ from `sketch` by fewer than `limit`
// bits: for string s in a block, bit s of near[block] is set.
void near_sketches(const std::uint64_t* sketch, const std::uint64_t* blocks, std::size_t count,
                   std::size_t words, std::uint64_t limit, std::uint8_t* near) noexcept;

}  // namespace sosie::kernels
