#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json_writer.h"
#include "data/run_summary.h"

namespace sosie {

// Words of an audit's lines.
struct AuditWords {
  std::string_view items;     // "documents"
  std::string bound;          // bound as written
  bool is_similarity = true;  // the bound is the least one can have, not the greatest
  bool one_input = true;      // every pair has both its ends among the documents
};

// The lines of the summary that say what the audit found; empty without one.
[[nodiscard]] std::string audit_text(const std::optional<AuditFacts>& audit,
                                     const AuditWords& words);

// Writes the audit as member "audit", for --stats.
void add_audit(const AuditFacts& a, JsonWriter& json);

}  // namespace sosie
