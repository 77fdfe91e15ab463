#pragma once

#include <string>

#include "data/run_summary.h"

namespace sosie {

// What the command line shows at the end of a run; text from the data is escaped.
[[nodiscard]] std::string summary_text(const RunSummary& summary);

// Parts of it: what became of the rows, the groups, and a table of the inputs if there are several.
[[nodiscard]] std::string rows_line(const RunSummary& summary);
[[nodiscard]] std::string groups_line(const RunSummary& summary);
[[nodiscard]] std::string input_table(const RunSummary& summary);

// The same for machines (--stats): one JSON object, keys in a fixed order.
[[nodiscard]] std::string summary_json(const RunSummary& summary);

}  // namespace sosie
