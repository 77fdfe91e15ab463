#pragma once

#include <span>
#include <string_view>

#include "sosie/options.h"

namespace sosie {

// A row of the table of candidate generators (candidates/generators.cc).
struct Generator {
  Method method;
  std::string_view name;  // its name in the literature
  bool finds_every_pair;  // otherwise a pair is found with the probability in the plan
  bool uses_bands;
  std::string_view source;
};

// The table of candidate generators.
[[nodiscard]] std::span<const Generator> generators() noexcept;
[[nodiscard]] const Generator* generator_by_method(Method method) noexcept;

}  // namespace sosie
