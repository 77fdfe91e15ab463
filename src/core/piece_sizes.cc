// Sizes of pieces that tests lower, so that small files cross them.
#include "core/piece_sizes.h"

#include <algorithm>
#include <atomic>

#include "sosie/piece_sizes.h"

namespace sosie {
namespace {

constexpr unsigned long kMostDivisor = 128;
std::atomic<unsigned long> divisor_of_sizes = 1;

}  // namespace

std::uint64_t piece_size(std::uint64_t bytes) noexcept {
  return bytes / divisor_of_sizes.load(std::memory_order_relaxed);
}

void divide_piece_sizes(unsigned long divisor) noexcept {
  divisor = std::clamp(divisor, 1UL, kMostDivisor);
  // A power of two: pieces hold whole blocks.
  while ((divisor & (divisor - 1)) != 0) divisor &= divisor - 1;
  divisor_of_sizes = divisor;
}

}  // namespace sosie
