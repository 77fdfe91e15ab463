#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sosie/options.h"
#include "store/sketch/sketch_file.h"

namespace sosie {

// Names of the options that decide what is known of a row, besides the plan.
[[nodiscard]] std::span<const std::string_view> sketch_option_names() noexcept;

// Options of a run that makes sketches: names and values, without defaults.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> sketch_options(
    const Options& options);

// Value of such an option when sketches were made.
[[nodiscard]] std::string made_with(const SketchContents& contents, std::string_view name);

// A value for messages.
[[nodiscard]] std::string shown_value(const std::string& value);

// Options whose `reuse` names sketches, with these in place of inputs; whose `against` names
// sketches, with these in place of OTHER; and with what the sketches were made with. Others as they
// are. Throws Error{invalid_option} with both values for an option that says something else, and
// for one that cannot go with sketches; else as Sketches does.
[[nodiscard]] Options with_sketches(const Options& options);

// Options of a query, whose DATA are the files of sketches that come first among its inputs.
[[nodiscard]] Options with_sketched_data(const Options& options);

// Throws Error{invalid_option} if one of the inputs is a file of sketches, where rows are read.
void refuse_sketched_inputs(const Options& options);

}  // namespace sosie
