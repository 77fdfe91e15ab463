#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "join/sets/method_choice.h"
#include "report/report_page.h"
#include "sosie/options.h"

namespace sosie {

// A line for a POSIX shell that repeats the run: the options given that differ from their defaults,
// in the table's order, then the inputs as they were named. What cannot change the result (threads,
// memory and the like) is left out. Folders of outputs get new names, and --overwrite is left out:
// the line never destroys what this run, or a review of it, left. Inputs beyond 100 kB of line are
// counted only.
[[nodiscard]] std::string repeat_command(std::string_view verb, const Options& options);

// A line for a POSIX shell that applies decisions.tsv of a review to the inputs of a `dedup`: how
// its rows are read, what they are compared by, and a new output. `first_file`: the first file of
// rows, whose extension the output gets where the run wrote to standard output.
[[nodiscard]] std::string apply_command(const Options& options, std::string_view first_file);

// A line that repeats a run of `link` with judgements of a review, which `option` reads from `file`
// (in place of a file that the run had), and a new output. `first_file`: as above, where rows are
// written; else empty.
[[nodiscard]] std::string judged_command(const Options& options, std::string_view option,
                                         std::string_view file, std::string_view first_file);

// Options in a line that explains a pair of a run of `link`.
[[nodiscard]] std::string explain_words(const Options& options);
// Inputs as they were named, behind so many bytes of a line.
[[nodiscard]] std::string input_words(const Options& options, std::size_t before = 0);

// "2026-11-29 21:30 UTC": date and time of now.
[[nodiscard]] std::string date_text();

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
