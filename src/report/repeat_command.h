#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "join/sets/method_choice.h"
#include "sosie/options.h"
#include "write/html_report.h"

namespace sosie {

// A line for a POSIX shell that repeats the run: the options given that differ from their defaults,
// in the table's order, then the inputs as they were named. What cannot change the result (threads,
// memory and the like) is left out. Folders of outputs get new names, and --overwrite is left out:
// the line never destroys what this run, or a review of it, left. Inputs beyond 100 kB of line are
// counted only.
[[nodiscard]] std::string repeat_command(std::string_view verb, const Options& options);

// A word as a POSIX shell reads it, in quotes where it needs them.
[[nodiscard]] std::string shell_word(std::string_view word);

// Value chosen for an option that was not given; empty: the option is not listed.
using ChosenValue = std::function<std::string(const OptionRow& row)>;

// The options that decide the result, with the values they had.
[[nodiscard]] std::vector<ReportParameter> report_parameters(std::string_view verb,
                                                             const Options& options,
                                                             const ChosenValue& chosen);

// Values that the planner chose for texts and sets.
[[nodiscard]] ChosenValue chosen_of(const MethodChoice& choice);

}  // namespace sosie
