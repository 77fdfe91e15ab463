#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// Chooses links between two collections so that every record has at most one: the best of all
// links, then the best of those whose records are both free, and so on, with ties in the order of
// the list, up to `most` links. Links that are not above `floor` are never chosen, nor is NaN.
// Returns indexes into `links`, ascending. O(links log links).
//
// The best link is always chosen: an assignment with the largest total would give a record without
// a partner the partner of another one whenever two mediocre links outweigh a good one.
[[nodiscard]] std::vector<std::size_t> one_to_one(
    std::span<const ScoredLink> links, double floor = -std::numeric_limits<double>::infinity(),
    std::size_t most = std::numeric_limits<std::size_t>::max());

// The best link of each left record: the highest score above `floor` (ties: the earliest right
// record). Several left records may have the same right record. Returns indexes into `links`,
// ascending. `links` are sorted by (left, right). O(links).
[[nodiscard]] std::vector<std::size_t> best_links(std::span<const ScoredLink> links,
                                                  double floor = 0);

}  // namespace sosie
