#pragma once

#include <optional>

#include "data/measure.h"

namespace sosie {

// |A and B| and |A or B| of two ascending lists without duplicates. O(|A| + |B|). MMDS 3.1.1.
[[nodiscard]] Overlap set_overlap(SetView left, SetView right) noexcept;

// Jaccard similarity; 1 for two empty sets.
[[nodiscard]] double jaccard(SetView left, SetView right) noexcept;

// Jaccard similarity of bags, given as sets of numbered occurrences, with the union that adds
// multiplicities: |A and B| / (|A| + |B|), at most 1/2 (MMDS 3.1.3); 1/2 for two empty bags.
[[nodiscard]] double bag_jaccard_sum(const Overlap& overlap) noexcept;

// True if a / b > c / d for the overlaps a / b and c / d. This is the order of every measure that
// increases with the Jaccard similarity.
[[nodiscard]] bool jaccard_is_above(const Overlap& a, const Overlap& b) noexcept;

[[nodiscard]] bool jaccard_reaches(const Overlap& overlap, const Rational& threshold) noexcept;

// L_short / L_long >= t: pairs of these sizes can reach the threshold.
[[nodiscard]] bool jaccard_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                           const Rational& threshold) noexcept;

// floor((l + r)(1 - t) / (1 + t)): J >= t is equivalent to |A xor B| <= this value.
[[nodiscard]] std::uint64_t jaccard_largest_difference(std::uint64_t left, std::uint64_t right,
                                                       const Rational& threshold) noexcept;

// ceil((l + r) t / (1 + t)): the smallest |l and r| with J >= t (THEORY section 9).
[[nodiscard]] std::uint64_t jaccard_least_overlap(std::uint64_t left, std::uint64_t right,
                                                  const Rational& threshold) noexcept;

// ceil(t s), and the largest r for which `shared` is at least jaccard_least_overlap(s, r).
[[nodiscard]] std::uint64_t jaccard_smallest_partner(std::uint64_t size,
                                                     const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t jaccard_largest_partner(std::uint64_t size, std::uint64_t shared,
                                                    const Rational& threshold) noexcept;

// Rows of the table of measures: jaccard; bag-jaccard for bags given as sets of numbered
// occurrences.
[[nodiscard]] std::optional<Measure> jaccard_measure(MeasureParameters parameters);

// bag-jaccard with the union that adds multiplicities, |A and B| / (|A| + |B|). If J is the Jaccard
// similarity of the numbered occurrences, this is J / (1 + J). `reaches` and the bounds are for J,
// so for a threshold of a / b they expect a / (b - a).
[[nodiscard]] Measure bag_jaccard_of_sum();

}  // namespace sosie
