#pragma once

#include <span>
#include <string_view>

#include "data/hash_family.h"

namespace sosie {

// The table of families.
[[nodiscard]] std::span<const HashFamily> hash_families() noexcept;
[[nodiscard]] const HashFamily* hash_family_by_name(std::string_view name) noexcept;
// True if the functions of the family with this name can look near a vector, too (--probes).
[[nodiscard]] bool can_be_probed(std::string_view name) noexcept;
// The first family that is sensitive to this distance; nullptr when there is none.
[[nodiscard]] const HashFamily* usual_hash_family(std::string_view distance) noexcept;

// Bits of a sketch of items that the family hashes; 0: an item is its own sketch.
[[nodiscard]] int sketch_bits_of(const HashFamily& family) noexcept;
// True if a function cuts a line into segments, so that distances count in their length.
[[nodiscard]] bool is_in_segments(const HashFamily& family) noexcept;

}  // namespace sosie
