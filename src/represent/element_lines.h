#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mix64.h"

// Sets as texts with one element a line, each line ended by '\n' (read/element_list.h).
namespace sosie {

// 64-bit hashes of the elements in their order, repetitions included, written to the beginning of
// `out`, which grows when it is too small; returns how many. `text` has kPadding readable bytes
// behind its end.
std::size_t hash_element_lines(std::string_view text, std::vector<std::uint64_t>& out);

// Equal for equal sets, whatever the order and the repetitions of their hashed elements.
[[nodiscard]] Hash128 hash_of_set(std::span<const std::uint64_t> elements);

// Sorts the elements ascending; equal ones once, unless they make a bag.
[[nodiscard]] std::string sorted_element_lines(std::string_view text, bool bag);

// Makes a bag (multiset) a set that every measure of sets takes: the second, third... occurrence of
// an element gets a hash of its own, in place and in order. |A and B| of two such sets is the sum
// of the least multiplicities, |A or B| the sum of the greatest: their Jaccard similarity is the
// bags' under the union that takes the greatest multiplicity (MMDS 3.1.3; THEORY T-1.2).
void number_occurrences(std::span<std::uint64_t> elements);

}  // namespace sosie
