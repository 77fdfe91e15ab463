#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "data/scored_link.h"

namespace sosie {

// Chooses links between two collections such that each record has at most one link: first the best
// link of all, then the best link between records that are still free, and so on, up to `most`
// links; ties are broken by the order of the list. Links whose score is NaN or not above `floor`
// are never chosen. Returns indexes into `links`, ascending. O(links log links).
// The best link is always chosen. By contrast, an assignment with the largest total would give a
// record without a partner the partner of another record whenever two mediocre links outweigh a
// good one.
[[nodiscard]] std::vector<std::size_t> one_to_one(
    std::span<const ScoredLink> links, double floor = -std::numeric_limits<double>::infinity(),
    std::size_t most = std::numeric_limits<std::size_t>::max());

// The best link of each left record: the link with the highest score above `floor` (ties: the
// earliest right record). Several left records may have the same right record. Returns indexes into
// `links`, ascending. `links` must be sorted by (left, right). O(links).
[[nodiscard]] std::vector<std::size_t> best_links(std::span<const ScoredLink> links,
                                                  double floor = 0);

}  // namespace sosie
