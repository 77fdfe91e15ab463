#pragma once

#include <string>
#include <vector>

#include "pipeline/sets/run.h"
#include "write/html_report.h"

namespace sosie {

// A line for a POSIX shell that repeats the run: the options given that differ from their defaults,
// in the table's order, then the inputs as they were named. What cannot change the result (threads,
// memory and the like) is left out. Inputs beyond 100 kB of line are counted only.
[[nodiscard]] std::string repeat_command(const Run& run);

// The options that decide the result, with the values they had.
[[nodiscard]] std::vector<ReportParameter> report_parameters(const Run& run);

}  // namespace sosie
