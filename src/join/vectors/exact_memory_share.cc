// Divides the memory of an exact join or search of vectors.
#include "join/vectors/exact_memory_share.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/count_text.h"
#include "join/vectors/side_panels.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kLeastPairBytes = std::uint64_t{1} << 17;
constexpr std::uint64_t kLeastPanelBytes = std::uint64_t{1} << 18;
constexpr std::uint64_t kSampledPanels = 8;

}  // namespace

std::uint64_t least_exact_bytes(std::size_t dimension, unsigned threads) noexcept {
  const std::uint64_t panel = most_panel_bytes(dimension);
  // Memory of each worker: left panels and (while candidates are sampled) a right one.
  const ExactMemoryShare least = least_memory_share(dimension);
  return panel * (kSampledPanels + threads * (kLeftPanels + 1)) + least.panel_bytes +
         least.pair_bytes;
}

ExactMemoryShare least_memory_share(std::size_t dimension) noexcept {
  return {std::max(kLeastPanelBytes, most_panel_bytes(dimension)), kLeastPairBytes};
}

ExactMemoryShare exact_memory_share(const ExactNeeds& needs) {
  const std::uint64_t least = needs.besides + least_exact_bytes(needs.dimension, needs.threads);
  if (needs.memory_bytes < least) {
    throw Error(ErrorKind::limit_exceeded,
                fmt::format("the vectors and what is known of them take about {}, --memory is {}",
                            bytes_text(least), bytes_text(needs.memory_bytes)),
                fmt::format("--memory {}M is enough", (least >> 20) + 1));
  }
  const std::uint64_t left = needs.memory_bytes - least;
  const std::uint64_t pairs = std::min(needs.memory_bytes / 8, left / 4);
  const ExactMemoryShare memory_share = least_memory_share(needs.dimension);
  return {memory_share.panel_bytes + left - pairs, memory_share.pair_bytes + pairs};
}

}  // namespace sosie
