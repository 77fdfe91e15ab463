#pragma once

#include <span>
#include <string_view>

#include "data/generator.h"

namespace sosie {

// The table of candidate generators.
[[nodiscard]] std::span<const Generator> generators() noexcept;
[[nodiscard]] const Generator* generator_by_method(std::string_view method) noexcept;

}  // namespace sosie
