// TABLE: candidate generators, one for each --method.
#include "candidates/generators.h"

#include <algorithm>
#include <array>

namespace sosie {
namespace {

constexpr std::array kGenerators = {
    Generator{.method = Method::lsh,
              .name = "banding",
              .finds_every_pair = false,
              .uses_bands = true,
              .source = "MMDS 3.4"},
    Generator{.method = Method::exact,
              .name = "prefix index",
              .finds_every_pair = true,
              .uses_bands = false,
              .source = "MMDS 3.9"},
    Generator{.method = Method::brute,
              .name = "all pairs",
              .finds_every_pair = true,
              .uses_bands = false,
              .source = "the definition"},
};

}  // namespace

std::span<const Generator> generators() noexcept { return kGenerators; }

const Generator* generator_by_method(Method method) noexcept {
  const auto* found = std::find_if(kGenerators.begin(), kGenerators.end(),
                                   [&](const Generator& row) { return row.method == method; });
  return found == kGenerators.end() ? nullptr : found;
}

}  // namespace sosie
