#pragma once

#include <optional>

#include "data/measure.h"

namespace sosie {

// The overlap coefficient of sets, |A and B| / min(|A|, |B|), and its bounds as declared in
// data/measure.h, computed in integers. Every set contains the empty set. Szymkiewicz 1934; Simpson
// 1943.
[[nodiscard]] double overlap_coefficient(const Overlap& overlap) noexcept;
[[nodiscard]] bool overlap_reaches(const Overlap& overlap, const Rational& threshold) noexcept;
[[nodiscard]] bool overlap_is_above(const Overlap& a, const Overlap& b) noexcept;
[[nodiscard]] bool overlap_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                           const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t overlap_largest_difference(std::uint64_t left, std::uint64_t right,
                                                       const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t overlap_least_overlap(std::uint64_t left, std::uint64_t right,
                                                  const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t overlap_smallest_partner(std::uint64_t size,
                                                     const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t overlap_largest_partner(std::uint64_t size, std::uint64_t shared,
                                                    const Rational& threshold) noexcept;

// Containment of the left set in the right one, |A and B| / |A| (Broder 1997): an ordered measure.
// A pair of sets reaches a threshold in at least one direction if and only if its overlap
// coefficient does, so the bounds above apply.
[[nodiscard]] double containment(const Overlap& overlap) noexcept;
[[nodiscard]] bool containment_left_reaches(const Overlap& overlap,
                                            const Rational& threshold) noexcept;
[[nodiscard]] bool containment_is_above(const Overlap& a, const Overlap& b) noexcept;

// The rows of the table of measures.
[[nodiscard]] std::optional<Measure> overlap_measure(MeasureParameters parameters);
[[nodiscard]] std::optional<Measure> containment_measure(MeasureParameters parameters);

}  // namespace sosie
