#pragma once

#include <cstdint>
#include <span>

namespace sosie {

// Makes a bag (multiset) a set that every measure of sets takes: the second, third... occurrence of
// an element gets a hash of its own, in place and in order. |A and B| of two such sets is the sum
// of the least multiplicities, |A or B| the sum of the greatest: their Jaccard similarity is the
// bags' under the union that takes the greatest multiplicity (MMDS 3.1.3; THEORY T-1.2).
void number_occurrences(std::span<std::uint64_t> elements);

}  // namespace sosie
