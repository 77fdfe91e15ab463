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

// Settings of locality-sensitive hashing in a run on vectors or bit strings.
struct LshSettings {
  const HashFamily* family = nullptr;  // null: the run is exact
  bool is_named = false;               // the family, by an option
  bool required = false;               // by an option; else where it is predicted to cost less
  double recall = 1;
  std::optional<BandShape> fixed;
  double probes = 1;  // cells of a function near an item
};

// Throws Error{invalid_option} for combinations that cannot be meant. `nearest`: --top decides
// alone, and nothing but every pair will do.
[[nodiscard]] LshSettings resolve_lsh(const Options& options, const MeasureRow& measure,
                                      bool nearest);

}  // namespace sosie
