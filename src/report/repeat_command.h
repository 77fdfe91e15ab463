#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "join/sets/method_choice.h"
#include "report/report_page.h"
#include "sosie/options.h"

namespace sosie {

// A command line for a POSIX shell that reproduces the run: the given options that differ from
// their defaults, in the table's order, then the inputs as named. Options that cannot change the
// result (threads, memory and the like) are left out. Output folders get new names, and --overwrite
// is left out: the line never destroys the results of this run, or of a review of it. Inputs beyond
// 100 kB of line are only counted.
[[nodiscard]] std::string repeat_command(std::string_view verb, const Options& options);

// A command line for a POSIX shell that applies decisions.tsv of a review to the inputs of a
// `dedup`: options for reading and comparing its rows, and a new output. `first_file`: the first
// file of rows, whose extension the output gets if the run wrote to standard output.
[[nodiscard]] std::string apply_command(const Options& options, std::string_view first_file);

// A command line that reproduces a run of `link` with judgements of a review, which `option` reads
// from `file` (instead of the run's file), and a new output. `first_file`: as above if rows are
// written; else empty.
[[nodiscard]] std::string judged_command(const Options& options, std::string_view option,
                                         std::string_view file, std::string_view first_file);

// Options for a command line that explains a pair of a run of `link`.
[[nodiscard]] std::string explain_words(const Options& options);
// Inputs as named, for a line that already has `before` bytes.
[[nodiscard]] std::string input_words(const Options& options, std::size_t before = 0);

// "2026-11-29 21:30 UTC": current date and time.
[[nodiscard]] std::string date_text();

// A word quoted for a POSIX shell if necessary.
[[nodiscard]] std::string shell_word(std::string_view word);

// Value chosen for an option that was not given; empty: the option is not listed.
using ChosenValue = std::function<std::string(const OptionRow& row)>;

// The options that determine the result, with their values.
[[nodiscard]] std::vector<ReportParameter> report_parameters(std::string_view verb,
                                                             const Options& options,
                                                             const ChosenValue& chosen);

// Values that the planner chose for texts and sets.
[[nodiscard]] ChosenValue chosen_of(const MethodChoice& choice);

}  // namespace sosie
