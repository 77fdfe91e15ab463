#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/options.h"
#include "store/sketch/sketch_file.h"

namespace sosie {

// Names of the options, other than the plan, that determine the data kept of a row.
[[nodiscard]] std::span<const std::string_view> sketch_option_names() noexcept;

// Options of a run that makes sketches: names and values, without defaults.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sketch_options(
    const Options& options);

// Value of such an option when the sketches were made.
[[nodiscard]] std::string made_with(const SketchContents& contents, std::string_view name);

// A value in the form for messages.
[[nodiscard]] std::string shown_value(const std::string& value);

// The options with the sketches named in `reuse` in place of the inputs, the sketches named in
// `against` in place of OTHER, and the options with which the sketches were made; unchanged if no
// sketches are named. Throws Error{invalid_option}, with both values, for a conflicting option, and
// for an option that does not support sketches; otherwise as Sketches does.
[[nodiscard]] Options with_sketches(const Options& options);

// Options of a query, whose DATA are the sketch files that come first among its inputs.
[[nodiscard]] Options with_sketched_data(const Options& options);

// Throws Error{invalid_option} if one of the inputs is a sketch file although rows are needed.
void refuse_sketched_inputs(const Options& options);

}  // namespace sosie
