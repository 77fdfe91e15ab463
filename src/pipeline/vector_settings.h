#pragma once

#include "core/rational.h"
#include "pipeline/measured_pairs.h"
#include "pipeline/settings.h"
#include "verify/vector_measures.h"

namespace sosie {

// Options as runs on vectors take them.
struct VectorSettings {
  Settings run;  // what every kind shares
  const VectorMeasure* measure = nullptr;
  Rational bound;          // --threshold or --within
  std::string bound_text;  // as it was written
  bool brute = false;      // every pair is measured

  [[nodiscard]] BoundFacts facts() const {
    return {std::string(measure->name), bound_text, measure->is_similarity};
  }
};

// Throws Error{invalid_option} for combinations that cannot be meant, and unless the measure's
// bound is given.
[[nodiscard]] VectorSettings resolve_vectors(const Options& options);

// Whether set_option() was told this option.
[[nodiscard]] bool is_given(const Options& options, std::string_view name);

}  // namespace sosie
