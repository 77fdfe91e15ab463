#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/hash_family.h"
#include "plan/construction.h"
#include "plan/lsh_plan.h"
#include "sosie/options.h"
#include "verify/measures.h"

namespace sosie {

// Settings for locality-sensitive hashing in a run on vectors or bit strings.
struct LshSettings {
  const HashFamily* family = nullptr;  // null: the run is exact
  bool is_named = false;               // an option names the family
  bool required = false;               // by an option; otherwise used if predicted to be cheaper
  double recall = 1;
  std::optional<BandShape> fixed;
  double probes = 1;  // average number of near cells per function
};

// Throws Error{invalid_option} for combinations that make no sense. `nearest`: only --top selects
// the pairs, which requires that every pair be found.
[[nodiscard]] LshSettings resolve_lsh(const Options& options, const MeasureRow& measure,
                                      bool nearest);

}  // namespace sosie
