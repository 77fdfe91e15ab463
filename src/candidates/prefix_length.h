#pragma once

#include <algorithm>
#include <cstdint>

#include "data/measure.h"

// Bounds that follow from the sizes of sets: lengths of prefixes, and possible positions of the
// first shared token. All are integers. Positions count from 0, so i in MMDS is position + 1.
namespace sosie {

// Number of a set's rarest tokens that is enough to share at least one with every partner,
// regardless of the partner's size: L - minimum overlap + 1 (MMDS 3.9.4; T-9.2).
[[nodiscard]] inline std::uint64_t prefix_length(const Measure& measure, std::uint64_t size,
                                                 const Rational& threshold) noexcept {
  if (size == 0) return 0;
  const std::uint64_t partner = measure.smallest_partner(size, threshold);
  return size - std::min(size, measure.least_overlap(size, partner, threshold)) + 1;
}

// Minimum number of elements that the left set of an ordered pair shares with its partner,
// regardless of the partner's size.
[[nodiscard]] inline std::uint64_t least_shared_of_left(const Measure& measure, std::uint64_t size,
                                                        const Rational& threshold) noexcept {
  const auto left = static_cast<std::uint32_t>(size);
  std::uint32_t reaches = left;  // if the other set contains all of it
  for (std::uint32_t below = 0; reaches - below > 1;) {
    const std::uint32_t shared = below + (reaches - below) / 2;
    const bool is_enough = measure.left_reaches({shared, left, left}, threshold);
    (is_enough ? reaches : below) = shared;
  }
  return reaches;
}

// Prefix length for partners that are at least as large: the number of tokens to index if sets
// arrive by ascending size (Bayardo, Ma, Srikant 2007).
[[nodiscard]] inline std::uint64_t index_prefix_length(const Measure& measure, std::uint64_t size,
                                                       const Rational& threshold) noexcept {
  if (size == 0) return 0;
  return size - std::min(size, measure.least_overlap(size, size, threshold)) + 1;
}

// The last position at which a partner may have the first shared token if that token is at
// `position` in a set of `size` tokens (MMDS 3.9.5; T-9.3). A negative result means that there is
// no such partner.
[[nodiscard]] inline std::int64_t last_position(const Measure& measure, std::uint64_t size,
                                                std::uint64_t position,
                                                const Rational& threshold) noexcept {
  const std::uint64_t rest = size - position;
  const std::uint64_t partner = measure.largest_partner(size, rest, threshold);
  return static_cast<std::int64_t>(partner) - static_cast<std::int64_t>(rest);
}

}  // namespace sosie
