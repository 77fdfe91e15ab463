#pragma once

#include <optional>

#include "data/measure.h"

namespace sosie {

// Dice's coefficient of sets, 2 |A and B| / (|A| + |B|), and its bounds as declared in
// data/measure.h, computed in integers; 1 for two empty sets. If J is the Jaccard similarity, the
// coefficient is 2 J / (1 + J). Dice 1945.
[[nodiscard]] double dice(const Overlap& overlap) noexcept;
[[nodiscard]] bool dice_reaches(const Overlap& overlap, const Rational& threshold) noexcept;
[[nodiscard]] bool dice_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                        const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t dice_largest_difference(std::uint64_t left, std::uint64_t right,
                                                    const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t dice_least_overlap(std::uint64_t left, std::uint64_t right,
                                               const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t dice_smallest_partner(std::uint64_t size,
                                                  const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t dice_largest_partner(std::uint64_t size, std::uint64_t shared,
                                                 const Rational& threshold) noexcept;

// The row of the table of measures.
[[nodiscard]] std::optional<Measure> dice_measure(MeasureParameters parameters);

}  // namespace sosie
