#pragma once

#include "pipeline/measured_settings.h"
#include "pipeline/settings.h"
#include "verify/vector_measures.h"

namespace sosie {

// Options as runs on vectors take them.
struct VectorSettings {
  Settings run;  // what every kind shares
  const VectorMeasure* measure = nullptr;
  MeasuredBound bound;
  bool brute = false;  // every pair is measured
};

// Throws Error{invalid_option} for combinations that cannot be meant, and unless the measure's
// bound is given.
[[nodiscard]] VectorSettings resolve_vectors(const Options& options);

}  // namespace sosie
