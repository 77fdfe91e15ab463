#pragma once

#include <string>

#include "data/run_summary.h"

namespace sosie {

// What the command line shows at the end of a run; text from the data is escaped.
[[nodiscard]] std::string summary_text(const RunSummary& summary);

// The same for machines (--stats): one JSON object, keys in a fixed order.
[[nodiscard]] std::string summary_json(const RunSummary& summary);

}  // namespace sosie
