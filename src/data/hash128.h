#pragma once

#include <compare>
#include <cstdint>

namespace sosie {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

}  // namespace sosie
