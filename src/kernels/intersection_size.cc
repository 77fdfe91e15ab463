// Sorts hashes into sets by buckets.
#include "kernels/intersection_size.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sosie::kernels {
namespace {

constexpr std::size_t kMaxBits = 11;
constexpr std::size_t kSmall = 64;

// A single scatter by the top bits yields pieces of about 16 hashes each.
int bucket_bits(std::size_t count) noexcept {
  return static_cast<int>(std::min<std::size_t>(kMaxBits, std::bit_width(count / 16)));
}

}  // namespace

std::size_t sort_unique_hashes(std::uint64_t* hashes, std::size_t count,
                               std::uint64_t* scratch) noexcept {
  if (count > kSmall) {
    const int bits = bucket_bits(count);
    const int shift = 64 - bits;
    std::array<std::uint32_t, (1U << kMaxBits) + 1> start{};
    for (std::size_t i = 0; i < count; ++i) ++start[(hashes[i] >> shift) + 1];
    const std::size_t pieces = std::size_t{1} << bits;
    for (std::size_t p = 0; p < pieces; ++p) start[p + 1] += start[p];
    for (std::size_t i = 0; i < count; ++i) scratch[start[hashes[i] >> shift]++] = hashes[i];
    std::size_t begin = 0;  // start[p] is now where piece p ends
    for (std::size_t p = 0; p < pieces; ++p) {
      std::sort(scratch + begin, scratch + start[p]);
      begin = start[p];
    }
    std::copy(scratch, scratch + count, hashes);
  } else {
    std::sort(hashes, hashes + count);
  }
  return static_cast<std::size_t>(std::unique(hashes, hashes + count) - hashes);
}

}  // namespace sosie::kernels
