#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "candidates/ordered_strings.h"
#include "candidates/string_groups.h"
#include "verify/edit_pattern.h"

namespace sosie {

// Everything that a bound implies for strings of a given length.
struct StringReach {
  std::uint32_t longest = 0;    // maximum length of partners that are no shorter
  std::uint32_t edits = 0;      // maximum number between the string and these partners
  std::uint32_t pieces = 0;     // one of them survives this number of edits
  std::uint32_t deletions = 0;  // maximum after which it may equal a partner
};
[[nodiscard]] StringReach reach_of(const EditBound& bound, std::uint32_t length) noexcept;

// Maximum number of bits by which the signatures of strings within this number of edits differ.
[[nodiscard]] std::uint32_t most_bits(EditMeasure measure, std::uint32_t edits,
                                      std::uint32_t longer_by) noexcept;

// Items of a given length, and all possible partners that are at least as long.
struct StringLevel {
  std::uint32_t length = 0;    // length of the shorter strings, after the deletions
  std::uint32_t edits = 0;     // maximum edits in any of its pairs
  std::vector<KeyJob> jobs{};  // empty: all pairs are checked
  double keys = 0;
  double pairs = 0;                       // pairs of items
  std::shared_ptr<StringCuts> cuts = {};  // shared by the jobs for segments
};

// Levels that find every pair whose shorter string has fewer than `below` symbols, by the strings
// that result from deletions; ordered by the length of these results.
[[nodiscard]] std::vector<StringLevel> deletion_levels(const std::vector<LengthRange>& lengths,
                                                       const EditBound& bound, std::uint32_t below);
// Levels for all other pairs: by pieces of the shorter string, ordered by its length, or by
// checking all pairs if these are few or pieces would be too short or too many. `rows_an_item`:
// rows per item of the join if the lengths come from a sample.
[[nodiscard]] std::vector<StringLevel> segment_levels(const std::vector<LengthRange>& lengths,
                                                      const EditBound& bound, std::uint32_t from,
                                                      double rows_an_item = 1);
// Cuts the strings of each level where they differ, instead of into equal pieces; see rare_cuts().
void cut_where_strings_differ(const StringColumn& column, std::vector<StringLevel>& levels);
// The length at and above which no string is shorter than its number of pieces.
[[nodiscard]] std::uint32_t first_cut_length(const std::vector<LengthRange>& lengths,
                                             const EditBound& bound) noexcept;

// Number of bytes of keys that a run with this memory keeps at a time.
[[nodiscard]] std::uint64_t bytes_of_keys(std::uint64_t memory_bytes) noexcept;

// Costs of one kind of keys, in nanoseconds: for computing and grouping a key in one pass, and for
// measuring a pair that shares a key and has near signatures and, if it is found, keeping it.
struct KeyCosts {
  double key_ns;
  double near_ns;
};

// Compiled-in costs, see plan/banding_cost.cc. The further ones are nanoseconds for sorting a
// string, for comparing the signatures of two adjacent items and of two that share a key, and for
// measuring any pair. Most pairs that share a result of deletions are found.
inline constexpr KeyCosts kPieces = {.key_ns = 41, .near_ns = 50};
inline constexpr KeyCosts kDeletions = {.key_ns = 20, .near_ns = 105};
inline constexpr double kStringNs = 630;
inline constexpr double kScannedPairNs = 1;
inline constexpr double kSharedKeyNs = 2.3;
inline constexpr double kStringPairNs = 30;

}  // namespace sosie
