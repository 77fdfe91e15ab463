#pragma once

#include <optional>
#include <string_view>

#include "pipeline/measured/lsh_settings.h"
#include "pipeline/measured/measured_summary.h"
#include "pipeline/options/measured_settings.h"
#include "pipeline/options/settings.h"
#include "verify/vector_measures.h"

namespace sosie {

// Options as runs on vectors take them.
struct VectorSettings {
  Settings run;  // what every kind shares
  std::optional<VectorMeasure> measure;
  MeasuredBound bound;
  bool brute = false;    // every pair is measured
  bool nearest = false;  // options.top decides alone: there is no bound
  LshSettings lsh;
};

// Makes the settings measure every pair where nothing else can tell the near rows of a column (see
// are_out_of_range()). Throws Error{unsupported} when lsh is required.
void settle_method(const VectorColumn& column, std::span<const double> squares,
                   VectorSettings& settings);

// Says what is done; `plan`: of lsh, else null.
void set_method(const VectorSettings& settings, const LshPlan* plan, MeasuredSummary& summary);

// What options.measure names. Throws Error{invalid_option} when it is none of vectors.
[[nodiscard]] VectorMeasure measure_of_vectors(const Options& options);

// Throws Error{invalid_option} for combinations that cannot be meant, and unless the measure's
// bound is given (or, for the verb query, --top).
[[nodiscard]] VectorSettings resolve_vectors(const Options& options, std::string_view verb);

}  // namespace sosie
