#pragma once

#include <cstdint>
#include <optional>

#include "core/rational.h"
#include "plan/banding_plan.h"
#include "plan/set_costs.h"
#include "sosie/options.h"

namespace sosie {

// A planned run on sets.
struct PlannedRun {
  Method method = Method::lsh;
  BandingPlan banding;  // plan of lsh
  Rational threshold{4, 5};
  JoinUse use = JoinUse::survivors;
  bool by_characters = false;   // tokens are characters, not words
  bool chooses_method = false;  // joins a sample first
  bool may_spill = true;        // lsh: rows that do not fit in memory go to scratch
  double join_seconds = 0;      // seconds of exact and brute, see SetCosts
  // exact: rows without a partner are left out as they are read.
  std::optional<RowsWithPartners> partners = {};
  std::uint64_t memory_bytes = 0;
};

}  // namespace sosie
