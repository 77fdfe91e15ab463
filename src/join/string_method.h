#pragma once

#include <cstdint>
#include <vector>

#include "candidates/string_groups.h"
#include "candidates/string_order.h"
#include "verify/edit_distance.h"

namespace sosie {

// Reach of a bound for strings of a length.
struct StringReach {
  std::uint32_t longest = 0;    // partners that are no shorter
  std::uint32_t edits = 0;      // between it and those, at most
  std::uint32_t pieces = 0;     // one survives so many edits
  std::uint32_t deletions = 0;  // after which it may equal a partner
};
[[nodiscard]] StringReach reach_of(const EditBound& bound, std::uint32_t length) noexcept;

// Most bits that signatures of strings within so many edits differ in.
[[nodiscard]] std::uint32_t most_bits(EditMeasure measure, std::uint32_t edits,
                                      std::uint32_t longer_by) noexcept;

// Items of a length, and all that may be their partners and are no shorter.
struct StringLevel {
  std::uint32_t length = 0;    // length of the shorter strings, behind the deletions
  std::uint32_t edits = 0;     // most edits of any of its pairs
  std::vector<KeyJob> jobs{};  // none: all pairs are looked at
  double keys = 0;
  double pairs = 0;  // pairs of items
};

// Levels by which every pair is found whose shorter string has fewer than `below` symbols: what
// deletions leave, by its length.
[[nodiscard]] std::vector<StringLevel> deletion_levels(const std::vector<LengthRange>& lengths,
                                                       const EditBound& bound, std::uint32_t below);
// The others: pieces of the shorter string, by its length; or all pairs, where these are few or
// pieces would be too short or too many. `rows_an_item`: of the join, where the lengths are those
// of a sample.
[[nodiscard]] std::vector<StringLevel> segment_levels(const std::vector<LengthRange>& lengths,
                                                      const EditBound& bound, std::uint32_t from,
                                                      double rows_an_item = 1);
// From here on no string is shorter than its number of pieces.
[[nodiscard]] std::uint32_t first_cut_length(const std::vector<LengthRange>& lengths,
                                             const EditBound& bound) noexcept;

// Compiled in, see plan/banding_cost.cc: nanoseconds to put a string in order, to make and group a
// key, to compare the signatures of two items behind each other, of two that share a key, to
// measure one of these with near signatures and keep what is found, and to measure any pair.
inline constexpr double kStringNs = 400;
inline constexpr double kStringKeyNs = 28;
inline constexpr double kScannedPairNs = 1;
inline constexpr double kSharedKeyNs = 4.5;
inline constexpr double kNearPairNs = 100;
inline constexpr double kStringPairNs = 30;

}  // namespace sosie
