#pragma once

#include <cstdint>
#include <vector>

#include "data/buckets.h"

namespace sosie {

// At most so many templates are told apart.
inline constexpr std::size_t kMostTemplates = 16;

// Items that share large buckets, as pages of one template do.
struct TemplateBuckets {
  std::vector<std::uint8_t> of_item;   // 0: none, else the template's number; empty: there are none
  std::vector<std::uint32_t> largest;  // largest bucket of template i + 1

  [[nodiscard]] bool empty() const noexcept { return largest.empty(); }
};

// Buckets of more than `most` items are taken from the largest one on; one that shares its first
// item with a template belongs to it. Takes O(items) memory where there are any.
[[nodiscard]] TemplateBuckets find_templates(const Buckets& buckets, std::size_t items,
                                             std::size_t most);

}  // namespace sosie
