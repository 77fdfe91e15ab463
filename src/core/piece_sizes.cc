// Sizes of pieces, lowered by tests so that small files span several pieces.
#include "core/piece_sizes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>

namespace sosie {
namespace {

// A power of two, because pieces consist of whole blocks.
unsigned long usable_divisor(unsigned long asked) noexcept {
  constexpr unsigned long kMostDivisor = 128;
  return std::bit_floor(std::clamp(asked, 1UL, kMostDivisor));
}

std::atomic<unsigned long>& divisor_of_sizes() noexcept {
  static std::atomic<unsigned long> divisor = [] {
    const char* asked = std::getenv("SOSIE_DIVIDE_PIECES");
    return usable_divisor(asked == nullptr ? 1 : std::strtoul(asked, nullptr, 10));
  }();
  return divisor;
}

}  // namespace

std::uint64_t piece_size(std::uint64_t bytes) noexcept {
  return bytes / divisor_of_sizes().load(std::memory_order_relaxed);
}

void divide_piece_sizes(unsigned long divisor) noexcept {
  divisor_of_sizes() = usable_divisor(divisor);
}

}  // namespace sosie
