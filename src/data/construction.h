#pragma once

#include <cstdint>
#include <vector>

namespace sosie {

// One construction: `count` functions of what stands before it become one (MMDS 3.6.3).
struct ConstructionStep {
  enum class Kind : std::uint8_t { all_agree, any_agrees } kind = Kind::all_agree;  // AND, OR
  std::uint32_t count = 1;
  friend bool operator==(const ConstructionStep&, const ConstructionStep&) = default;
};

// Applied from left to right; none leaves the family as it is.
using Construction = std::vector<ConstructionStep>;

}  // namespace sosie
