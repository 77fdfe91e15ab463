#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "data/record_links.h"

namespace sosie {

// Chooses links between two collections so that every record has at most one and their total weight
// is the largest there is. The weight of a link is its score above `floor`, in units of 2^-30 and
// at most 2^20; links without a weight are never chosen. Returns indexes into `links`, ascending.
// `links` are sorted by (left, right).
//
// Ties: left records take part in input order; a record joins by the change that adds most. Of
// equal changes, the first that the search finds is made: it looks at free right records, then at
// taken ones, both in input order, and at last leaves the latest left record alone: a record that
// comes later takes no partner away without a gain. Sums are
// integers, so that the total is exact. Memory: 28 bytes a link, 24 a left record, 44 a right one.
// Time: a search among linked records for each left record, O(links log links) each at worst; where
// best partners are free, O(links log links) in all. One thread; throws Error{cancelled} when the
// pool's run is to stop. Source: Kuhn 1955; shortest augmenting paths over sparse graphs: Jonker,
// Volgenant, Computing 38, 1987.
[[nodiscard]] std::vector<std::size_t> one_to_one(std::span<const ScoredLink> links,
                                                  const ThreadPool& pool, double floor = 0);

}  // namespace sosie
