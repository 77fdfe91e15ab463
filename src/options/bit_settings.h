#pragma once

#include <memory>
#include <string_view>

#include "options/bounds.h"
#include "options/lsh_settings.h"
#include "options/settings.h"
#include "verify/measures.h"

namespace sosie {

// The options of a run on bit strings, in the form that the run uses.
struct BitSettings {
  Settings run;  // settings of every kind
  const BitMeasure* measure = nullptr;
  std::shared_ptr<const BitMeasure> made_measure;  // owns it
  ItemBound bound;
  bool brute = false;    // measures every pair
  bool nearest = false;  // only options.top decides; there is no bound
  LshSettings lsh;
};

// The measure that options.measure names. Throws Error{invalid_option} if it is not for bit
// strings.
[[nodiscard]] BitMeasure measure_of_bits(const Options& options);

// Throws Error{invalid_option} for combinations that make no sense, and unless there is a bound for
// the measure (or, for the verb query, --top).
[[nodiscard]] BitSettings resolve_bits(const Options& options, VerbBit verb);

}  // namespace sosie
