#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_writer.h"
#include "data/kinds.h"
#include "data/run_summary.h"
#include "sosie/join.h"

namespace sosie {

[[nodiscard]] inline bool of_text(const RunSummary& summary) { return summary.kind == kTextItems; }
[[nodiscard]] inline bool of_sets(const RunSummary& summary) { return summary.components.empty(); }

// The summary that the command line shows at the end of a run; text from the data is escaped.
[[nodiscard]] std::string summary_text(const RunSummary& summary);

// The summary as a RunReport for the caller.
[[nodiscard]] RunReport report_of(const RunSummary& summary);

// The method in words, with its expected recall.
[[nodiscard]] std::string method_line(const RunSummary& summary);

// Parts of the summary: the decisions on rows, the groups and, if there are several inputs, a table
// of the inputs.
[[nodiscard]] std::string rows_line(const RunSummary& summary);
[[nodiscard]] std::string groups_line(const RunSummary& summary);
[[nodiscard]] std::string input_table(const RunSummary& summary);
// Rows that were not compared and lines that are not rows: "2 bad rows left out".
[[nodiscard]] std::vector<std::string> set_aside(const RunSummary& summary);

// The summary for programs, a JSON object whose keys are in a fixed order; the second function
// returns the text for --stats. `has_resources`: include times and memory, which differ from run to
// run.
void write_summary(const RunSummary& summary, JsonWriter& json, bool has_resources = true);
[[nodiscard]] std::string summary_json(const RunSummary& summary);

// The plural noun for the units of shingles: "words", "characters", "elements".
[[nodiscard]] const char* token_name(const RunSummary& summary);

// Notes on a run, each with its line end, or empty: damaged inputs, texts too short for the
// shingles, values compared as text by --keep although they look like numbers, and shingles that
// most texts have.
[[nodiscard]] std::string damaged_note(const RunSummary& summary);
[[nodiscard]] std::string short_text_note(const RunSummary& summary);
[[nodiscard]] std::string rank_line(const RunSummary& summary);
[[nodiscard]] std::string common_shingles_note(const RunSummary& summary);

// Words for the lines of an audit.
struct AuditWords {
  std::string_view items;     // "documents"
  std::string bound;          // bound as written
  bool is_similarity = true;  // the bound is a minimum, not a maximum
  bool one_input = true;      // both members of every pair are among the documents
};

// The lines of the summary about the audit; empty if there was no audit.
[[nodiscard]] std::string audit_text(const std::optional<AuditFacts>& audit,
                                     const AuditWords& words);

// Writes the audit as the member "audit", for --stats.
void add_audit(const AuditFacts& a, JsonWriter& json);

}  // namespace sosie
