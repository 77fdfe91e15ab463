#pragma once

#include <optional>
#include <string_view>

#include "options/bounds.h"
#include "options/lsh_settings.h"
#include "options/settings.h"
#include "verify/measures.h"

namespace sosie {

// Options in the form for runs on vectors.
struct VectorSettings {
  Settings run;  // settings of every kind
  std::optional<VectorMeasure> measure;
  ItemBound bound;
  bool brute = false;    // every pair is measured
  bool nearest = false;  // options.top alone decides: there is no bound
  LshSettings lsh;
  // This share of the nearest rows is enough, so that not all rows are examined (IvfIndex).
  std::optional<double> list_recall;
};

// Makes the settings measure every pair if nothing else can identify the near rows of a column (see
// are_out_of_range()). Throws Error{unsupported} if lsh is required.
void settle_method(const VectorColumn& column, std::span<const double> squares,
                   VectorSettings& settings);

// True for a vector index from which only the nearest items are looked up, by method lsh: then a
// share of them (--recall) is enough.
[[nodiscard]] bool wants_lists(const Options& options);
// That share. Throws Error{invalid_option} for a recall of 1, and for a measure that does not
// support lists.
[[nodiscard]] double recall_of_lists(const Options& options);

// The measure named by options.measure. Throws Error{invalid_option} unless it is for vectors.
[[nodiscard]] VectorMeasure measure_of_vectors(const Options& options);

// Throws Error{invalid_option} for meaningless combinations, and unless the measure's bound is
// given (or, for the verb query, --top).
[[nodiscard]] VectorSettings resolve_vectors(const Options& options, std::string_view verb);

}  // namespace sosie
