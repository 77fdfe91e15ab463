#pragma once

#include <string>
#include <string_view>

#include "pipeline/measured_settings.h"
#include "pipeline/settings.h"
#include "verify/vector_measures.h"

namespace sosie {

// Options as runs on vectors take them.
struct VectorSettings {
  Settings run;  // what every kind shares
  const VectorMeasure* measure = nullptr;
  MeasuredBound bound;
  bool brute = false;    // every pair is measured
  bool nearest = false;  // options.top decides alone: there is no bound
};

// What the method does, in words.
[[nodiscard]] std::string method_line(const VectorSettings& settings);

// Throws Error{invalid_option} for combinations that cannot be meant, and unless the measure's
// bound is given (or, for the verb query, --top).
[[nodiscard]] VectorSettings resolve_vectors(const Options& options, std::string_view verb);

}  // namespace sosie
