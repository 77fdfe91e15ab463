#pragma once

#include <optional>

#include "data/measure.h"

namespace sosie {

// The cosine of sets as vectors of 0 and 1, |A and B| / sqrt(|A| |B|), and its bounds as declared
// in data/measure.h; 1 for two empty sets. Every decision compares squares in 128-bit integers;
// square roots are computed only for printing. Ochiai 1957.
[[nodiscard]] double set_cosine(const Overlap& overlap) noexcept;
[[nodiscard]] bool set_cosine_reaches(const Overlap& overlap, const Rational& threshold) noexcept;
[[nodiscard]] bool set_cosine_is_above(const Overlap& a, const Overlap& b) noexcept;
[[nodiscard]] bool set_cosine_sizes_can_reach(std::uint64_t left, std::uint64_t right,
                                              const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t set_cosine_largest_difference(std::uint64_t left, std::uint64_t right,
                                                          const Rational& threshold) noexcept;
// O(log of the sizes).
[[nodiscard]] std::uint64_t set_cosine_least_overlap(std::uint64_t left, std::uint64_t right,
                                                     const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t set_cosine_smallest_partner(std::uint64_t size,
                                                        const Rational& threshold) noexcept;
[[nodiscard]] std::uint64_t set_cosine_largest_partner(std::uint64_t size, std::uint64_t shared,
                                                       const Rational& threshold) noexcept;

// The row of the table of measures.
[[nodiscard]] std::optional<Measure> set_cosine_measure(MeasureParameters parameters);

}  // namespace sosie
