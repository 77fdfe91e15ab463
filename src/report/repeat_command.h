#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "join/sets/method_choice.h"
#include "report/report_page.h"
#include "sosie/options.h"

namespace sosie {

// A POSIX shell command line that reproduces the run: the options that differ from their defaults,
// in the order of the table, then the inputs as they were named. Options that cannot change the
// result (threads, memory and so on) are left out. Output folders get new names and --overwrite is
// left out, so that the command never destroys the results of this run or of a review of it. Inputs
// are only counted if the line would exceed 100 kB.
[[nodiscard]] std::string repeat_command(VerbBit verb, const Options& options);

// A POSIX shell command line that applies a review's decisions.tsv to the inputs of a `dedup` run,
// with the options for reading and comparing its rows and with a new output. `first_file`: the
// first file of rows; if the run wrote to standard output, the output gets its extension.
[[nodiscard]] std::string apply_command(const Options& options, std::string_view first_file);

// A command line that reproduces a `link` run with the judgements of a review, which `option` reads
// from `file` (in place of the run's own file), and with a new output. `first_file`: as above if
// rows are written; otherwise empty.
[[nodiscard]] std::string judged_command(const Options& options, std::string_view option,
                                         std::string_view file, std::string_view first_file);

// The options of a command line that explains a pair in a `link` run.
[[nodiscard]] std::string explain_words(const Options& options);
// The inputs as they were named, for a line that already has `before` bytes.
[[nodiscard]] std::string input_words(const Options& options, std::size_t before = 0);

// "2026-11-29 21:30 UTC": current date and time.
[[nodiscard]] std::string date_text();

// A word, quoted for a POSIX shell if necessary.
[[nodiscard]] std::string shell_word(std::string_view word);

// The value that was chosen for an option that was not given; if empty, the option is not listed.
using ChosenValue = std::function<std::string(const OptionRow& row)>;

// The options that determine the result, with their values.
[[nodiscard]] std::vector<ReportParameter> report_parameters(VerbBit verb, const Options& options,
                                                             const ChosenValue& chosen);

// Values that the planner chose for texts and sets.
[[nodiscard]] ChosenValue chosen_of(const MethodChoice& choice);

}  // namespace sosie
