#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/scored_link.h"

namespace sosie {

// Links between two collections. Right records are numbered after all left ones.
struct StandInTask {
  std::span<const ScoredLink> links;    // all scored pairs, by (left, right)
  std::span<const std::size_t> chosen;  // indexes of links assigned one to one, ascending
  double least = 0;                     // score at and above which a pair may be a link
  std::uint32_t left = 0;               // records of each collection
  std::uint32_t right = 0;
};

// The extent to which siblings replace missing partners.
struct StandIns {
  double part = 0;          // records with a clear link for which another free partner would do
  double false_links = 0;   // expected among the chosen ones; 0 if too few links are clear
  double fewest_false = 0;  // if that part is one standard error smaller
};

// Estimates how many links are false because a record whose partner is missing is linked to a
// sibling of that partner. A record has siblings of its partner whether or not the partner is
// there. If it is, they show: other records that score as high as a link does and have no better
// link themselves. The best third of the links is taken to be true; at least 30 are needed. The
// same part g is linked among records of the smaller collection that have no true partner.
// With R records and L links, F = (R - L + F) g, so F = (R - L) g / (1 - g), and at most the links
// outside of the best third. If both collections have equally many records, the lower number holds.
// O(links), 12 bytes per record.
[[nodiscard]] StandIns find_stand_ins(const StandInTask& task);

}  // namespace sosie
