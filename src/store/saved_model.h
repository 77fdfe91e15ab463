#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/record_table.h"
#include "options/link_rules.h"
#include "plan/fit_model.h"
#include "plan/match_model.h"

namespace sosie {

// Saved weights of a run of `sosie link`.
struct SavedModel {
  MatchModel model;
  // By compared field and value of the table: share of the records with the value; empty if the
  // model has no counts.
  std::vector<std::vector<double>> shares;
  FitDecisions decisions;
};

// Model as JSON: the classes of pairs and their shares, and of each compared field the shares of
// its levels by class; frequencies of values where they are weighed; joint shares of fields that
// are scored together. Numbers are written so that they are read back as they were.
//   {"sosie_model": 2, "rules": "version = 1 ...", "classes": [{"match": true, "share": 1e-6},
//   {"match": false, ...}, ...],
//    "fields": [{"name": "city", "levels": [{"level": "different", "shares": [0.1, 0.9]}, ...],
//      "frequency": {"chance": 0.01, "records": 200, "counts": {"berlin": 12, ...}}}, ...],
//    "together": [{"fields": ["suburb", "postcode"], "shares": [[...], [...]]}]}
// For fields with nicknames: "nicknames": {"given": [["william", "bill"], ...]}, the rows of each.
// If the run has decided so: "several_partners": "left" (or "right"), the side whose records may
// have several; "endless_families": true.
[[nodiscard]] std::string model_to_json(const LinkRules& rules, const MatchModel& model,
                                        const RecordTable& table, const FitDecisions& decisions);

// The rules, with their nicknames, of the run that wrote a model; nullopt if the model does not
// contain them. Throws as load_model() and read_link_rules_text() do.
[[nodiscard]] std::optional<LinkRules> rules_of_model(const std::string& path,
                                                      const std::atomic<bool>* cancel);

// Reads a model for these rules, whose fields and levels it must have in the same order. A value
// without a count counts once; if there are no records and counts, those in the table are used.
// `name`: name of the text in messages. Throws Error{malformed_input} with the place in the file,
// and Error{unsupported} for another version.
[[nodiscard]] SavedModel model_from_json(std::string_view text, const std::string& name,
                                         const LinkRules& rules, const RecordTable& table);

// Reads a model from a file of at most 256 MiB.
[[nodiscard]] SavedModel load_model(const std::string& path, const LinkRules& rules,
                                    const RecordTable& table, const std::atomic<bool>* cancel);

}  // namespace sosie
