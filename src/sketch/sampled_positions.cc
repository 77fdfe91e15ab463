// Samples the positions for the family "bit-sampling".
#include "sketch/sampled_positions.h"

#include "core/mix64.h"

namespace sosie {

std::vector<std::uint32_t> sampled_positions(std::size_t count, std::size_t bits,
                                             std::uint64_t seed) {
  std::vector<std::uint32_t> positions(count);
  for (std::size_t i = 0; i < count; ++i) {
    positions[i] = static_cast<std::uint32_t>(multiply128(random64(seed, i), bits).high);
  }
  return positions;
}

}  // namespace sosie
