#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// For each of `count` items, the first item with the same bytes; kNoPlace for that first item.
[[nodiscard]] std::vector<Place> leaders_by_bytes(
    std::size_t count, const std::function<std::string_view(std::size_t)>& bytes_of);

// Items grouped by equal bytes: groups in the order of their first items, members ascending.
struct EqualGroups {
  std::vector<std::uint32_t> starts;  // start of each group in `members`, then the end
  std::vector<std::uint32_t> members;

  [[nodiscard]] std::size_t size() const noexcept { return starts.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t group) const noexcept {
    return std::span(members).subspan(starts[group], starts[group + 1] - starts[group]);
  }
};

// Groups `count` items, numbered from `first`, by equal bytes. Memory: 8 bytes per item, 24 during
// construction.
[[nodiscard]] EqualGroups equal_groups(
    std::size_t first, std::size_t count,
    const std::function<std::string_view(std::size_t item)>& bytes_of);

}  // namespace sosie
