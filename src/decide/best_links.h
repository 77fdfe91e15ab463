#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// The best link of each left record: the highest score above `floor`, of equal ones the earliest
// right record. Several left records may have the same right record. Returns indexes into `links`,
// ascending. `links` are sorted by (left, right). O(links).
[[nodiscard]] std::vector<std::size_t> best_links(std::span<const ScoredLink> links,
                                                  double floor = 0);

}  // namespace sosie
