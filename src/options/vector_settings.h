#pragma once

#include <optional>
#include <string_view>

#include "options/bounds.h"
#include "options/lsh_settings.h"
#include "options/settings.h"
#include "verify/measures.h"

namespace sosie {

// Options as runs on vectors take them.
struct VectorSettings {
  Settings run;  // settings of every kind
  std::optional<VectorMeasure> measure;
  ItemBound bound;
  bool brute = false;    // every pair is measured
  bool nearest = false;  // options.top decides alone: there is no bound
  LshSettings lsh;
  // This part of the nearest rows is enough, so that not all are looked at (IvfIndex).
  std::optional<double> list_recall;
};

// Makes the settings measure every pair where nothing else can tell the near rows of a column (see
// are_out_of_range()). Throws Error{unsupported} when lsh is required.
void settle_method(const VectorColumn& column, std::span<const double> squares,
                   VectorSettings& settings);

// True for an index of vectors whose nearest ones alone are looked up, by method lsh: then a part
// of them (--recall) is enough.
[[nodiscard]] bool wants_lists(const Options& options);
// That part. Throws Error{invalid_option} for a recall of 1, and for a measure that lists cannot
// serve.
[[nodiscard]] double recall_of_lists(const Options& options);

// Measure that options.measure names. Throws Error{invalid_option} unless it is for vectors.
[[nodiscard]] VectorMeasure measure_of_vectors(const Options& options);

// Throws Error{invalid_option} for combinations that cannot be meant, and unless the measure's
// bound is given (or, for the verb query, --top).
[[nodiscard]] VectorSettings resolve_vectors(const Options& options, std::string_view verb);

}  // namespace sosie
