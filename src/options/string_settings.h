#pragma once

#include <string_view>

#include "options/bounds.h"
#include "options/settings.h"
#include "represent/strings.h"
#include "verify/edit_pattern.h"
#include "verify/measures.h"

namespace sosie {

// The options of a run on strings, in the form that the run uses.
struct StringSettings {
  Settings run;  // options common to all kinds
  StringMeasure measure;
  StringForm form = StringForm::as_is;
  ItemBound bound;
  EditBound edits;       // this bound in edits
  bool brute = false;    // compares every pair
  bool nearest = false;  // only options.top decides; there is no bound
};

// The measure named by options.measure. Throws Error{invalid_option} unless it is for strings.
[[nodiscard]] StringMeasure measure_of_strings(const Options& options);
// The form named by options.clean.
[[nodiscard]] StringForm form_of_strings(const Options& options);

// Throws Error{invalid_option} for combinations that make no sense, and unless --within or
// --threshold (or, for pairs and query, --top) is given.
[[nodiscard]] StringSettings resolve_strings(const Options& options, VerbBit verb);

}  // namespace sosie
