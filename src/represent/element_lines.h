#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mix64.h"

// Sets as texts with one element per line, each line ended by '\n' (read/element_list.h).
namespace sosie {

// Writes the 64-bit hashes of the elements, in order and including duplicates, to the beginning of
// `out`, which grows if it is too small; returns their number. `text` must be followed by kPadding
// readable bytes.
std::size_t hash_element_lines(std::string_view text, std::vector<std::uint64_t>& out);

// A hash that is equal for equal sets regardless of the order and repetitions of their hashed
// elements.
[[nodiscard]] Hash128 hash_of_set(std::span<const std::uint64_t> elements);

// Sorts the elements in ascending order and, unless they form a bag, removes duplicates.
[[nodiscard]] std::string sorted_element_lines(std::string_view text, bool bag);

// Turns a bag (multiset) into a set that any set measure accepts: the second, third... occurrence
// of an element gets a hash of its own, in place and in order. For two such sets, |A and B| is the
// sum of the smaller multiplicities and |A or B| the sum of the larger ones, so their Jaccard
// similarity is that of the bags, with the union that takes the larger multiplicity (MMDS 3.1.3;
// THEORY T-1.2).
void number_occurrences(std::span<std::uint64_t> elements);

}  // namespace sosie
