#pragma once

#include <span>
#include <string_view>

#include "data/hash_family.h"

namespace sosie {

// The table of families.
[[nodiscard]] std::span<const HashFamily> hash_families() noexcept;
[[nodiscard]] const HashFamily* hash_family_by_name(std::string_view name) noexcept;
// True if the functions of the family with this name support multi-probe (--probes).
[[nodiscard]] bool can_be_probed(std::string_view name) noexcept;
// The first family that is sensitive to this distance; nullptr if there is none.
[[nodiscard]] const HashFamily* usual_hash_family(std::string_view distance) noexcept;

// Number of sketch bits for items hashed by this family; 0: an item is its own sketch.
[[nodiscard]] int sketch_bits_of(const HashFamily& family) noexcept;
// True if a function divides a line into segments, so that distances are measured in segment
// lengths.
[[nodiscard]] bool is_in_segments(const HashFamily& family) noexcept;

}  // namespace sosie
