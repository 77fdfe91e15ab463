#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "data/run_summary.h"

namespace sosie {

// The lines of the summary that say what the audit found; empty without one.
[[nodiscard]] std::string audit_text(const RunSummary& summary);

// The same for --stats.
[[nodiscard]] nlohmann::ordered_json audit_json(const AuditFacts& a);

}  // namespace sosie
