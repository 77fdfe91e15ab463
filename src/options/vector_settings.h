#pragma once

#include <optional>
#include <string_view>

#include "options/bounds.h"
#include "options/lsh_settings.h"
#include "options/settings.h"
#include "verify/measures.h"

namespace sosie {

// The options of a run on vectors, in the form that the run uses.
struct VectorSettings {
  Settings run;  // settings of every kind
  std::optional<VectorMeasure> measure;
  ItemBound bound;
  bool brute = false;    // measures every pair
  bool nearest = false;  // only options.top decides; there is no bound
  LshSettings lsh;
  // The share of the nearest rows that is enough, so that not all rows need to be examined
  // (IvfIndex).
  std::optional<double> list_recall;
};

// Changes the settings to measure every pair if the near rows of a column cannot be found in any
// other way (see are_out_of_range()). Throws Error{unsupported} if lsh is required.
void settle_method(const VectorColumn& column, std::span<const double> squares,
                   VectorSettings& settings);

// True for a vector index in which only the nearest items are looked up, with method lsh, so that
// finding a share of them (--recall) is enough.
[[nodiscard]] bool wants_lists(const Options& options);
// The share of nearest items to find. Throws Error{invalid_option} for a recall of 1 and for a
// measure that does not support lists.
[[nodiscard]] double recall_of_lists(const Options& options);

// The measure named by options.measure. Throws Error{invalid_option} unless it is for vectors.
[[nodiscard]] VectorMeasure measure_of_vectors(const Options& options);

// Throws Error{invalid_option} for combinations that make no sense, and unless there is a bound for
// the measure (or, for the verb query, --top).
[[nodiscard]] VectorSettings resolve_vectors(const Options& options, VerbBit verb);

}  // namespace sosie
