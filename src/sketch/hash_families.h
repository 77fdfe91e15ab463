#pragma once

#include <span>
#include <string_view>

#include "data/hash_family.h"

namespace sosie {

// The table of families.
[[nodiscard]] std::span<const HashFamily> hash_families() noexcept;
[[nodiscard]] const HashFamily* hash_family_by_name(std::string_view name) noexcept;

}  // namespace sosie
