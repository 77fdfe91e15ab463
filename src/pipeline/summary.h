#pragma once

#include <string>

#include "data/run_summary.h"

namespace sosie {

// What the command line shows at the end of a run; text from the data is escaped.
[[nodiscard]] std::string summary_text(const RunSummary& summary);

// The same for machines (--stats): one JSON object, keys in a fixed order.
[[nodiscard]] std::string summary_json(const RunSummary& summary);

// Text from the data as a terminal may show it: one line of at most `columns` characters, control
// characters as \xNN.
[[nodiscard]] std::string shown_line(std::string_view text, std::size_t columns);

}  // namespace sosie
