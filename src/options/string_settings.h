#pragma once

#include <string_view>

#include "options/bounds.h"
#include "options/settings.h"
#include "represent/strings.h"
#include "verify/edit_pattern.h"
#include "verify/measures.h"

namespace sosie {

// Options as runs on strings take them.
struct StringSettings {
  Settings run;  // options that every kind shares
  StringMeasure measure;
  StringForm form = StringForm::as_is;
  ItemBound bound;
  EditBound edits;       // this bound in edits
  bool brute = false;    // every pair is compared
  bool nearest = false;  // options.top decides alone: there is no bound
};

// Measure that options.measure names. Throws Error{invalid_option} when it is none of strings.
[[nodiscard]] StringMeasure measure_of_strings(const Options& options);
// Form that options.clean names.
[[nodiscard]] StringForm form_of_strings(const Options& options);

// Throws Error{invalid_option} for combinations that cannot be meant, and unless --within or
// --threshold is given (or, for pairs and query, --top).
[[nodiscard]] StringSettings resolve_strings(const Options& options, std::string_view verb);

}  // namespace sosie
