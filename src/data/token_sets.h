#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// Sets of 64-bit hashes, each without repetitions, by place.
struct HashedSets {
  std::vector<std::uint64_t> starts{0};  // set i holds hashes[starts[i] .. starts[i + 1])
  std::vector<std::uint64_t> hashes;

  [[nodiscard]] std::size_t size() const noexcept { return starts.size() - 1; }
};

using TokenView = std::span<const std::uint32_t>;

// Sets with their elements numbered rarest first, by ascending size (ties: by place). A token that
// stands in one set only is below first_shared.
struct TokenSets {
  std::vector<Place> places;             // place of each set
  std::vector<std::uint64_t> starts{0};  // set i holds tokens[starts[i] .. starts[i + 1])
  std::vector<std::uint32_t> tokens;     // ascending within a set
  std::uint32_t first_shared = 0;
  std::uint32_t universe = 0;  // every token is below

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(places.size());
  }
  [[nodiscard]] TokenView operator[](std::uint32_t i) const noexcept {
    return {tokens.data() + starts[i], tokens.data() + starts[i + 1]};
  }
};

}  // namespace sosie
