#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// Links or groups, as data for the calling program. Records are identified by their row numbers,
// counted from 0 in each collection.
struct LinkedRows {
  // If true, linking a single collection also returns the pairs within its groups, in input order.
  // Links between two collections are always returned.
  bool wants_pairs = false;

  // Links, best first.
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> score;         // bits
  std::vector<double> probability;   // that both records are the same entity
  std::vector<std::uint32_t> rules;  // bits of the rules that found the pair; 0: no rule
  std::vector<std::uint8_t> levels;  // by link and compared field
  std::vector<std::string> rule_names;
  std::vector<std::string> fields;                    // names of compared fields
  std::vector<std::vector<std::string>> level_names;  // names of the levels, by field
  std::vector<double> bits;  // by link and compared field; with a model, they sum to the score

  // For a single collection, all records except skipped rows, in input order.
  std::vector<std::uint64_t> record;
  std::vector<std::uint64_t> cluster;  // the first record of its group
  std::vector<std::uint64_t> size;     // number of records in its group
  std::vector<double> weakest;         // lowest probability of a pair of the group; NaN: single

  // Ids of all rows; empty if the rows have only numbers.
  std::vector<std::string> left_ids;
  std::vector<std::string> right_ids;
  bool left_ids_are_integers = false;
  bool right_ids_are_integers = false;
  std::string rules_text;  // rules of the run, as a file for options.rules
};

// Finds records that describe the same entity.
// Without options.against: groups the records of options.inputs and writes one row per record in
// input order (id; cluster_id: the first id in the group; size; weakest: the lowest probability of
// a pair in the group; a record on its own has size 1 and no weakest). options.pairs receives all
// pairs within groups.
// With options.against: writes links, best first (left, right, score in bits, probability, rules,
// and the level and bits of each field).
// With options.annotate or options.keep: writes the rows of the first collection unchanged, either
// all of them or one per group, with the results in additional fields. The table of groups then
// goes to options.clusters (for two collections, the table of links to options.pairs).
// The comparison of each field yields a level, and the weight of a level is learnt from the
// candidate pairs, without labels. Errors: as for pairs(), and Error{malformed_input} if the
// collections have no field in common. Source: Fellegi, Sunter, JASA 64, 1969.
RunReport link(const Options& options, const RunHooks& hooks = {});

// Runs link() and fills in `found`. Writes a table only if an output is named.
RunReport link_rows(const Options& options, const RunHooks& hooks, LinkedRows& found);

// JSON Schema (draft 2020-12) of the TOML files for options.rules, generated from the table that
// their parser uses. Conditions that involve two values, such as names of fields, are checked by
// the parser only.
[[nodiscard]] std::string link_rules_schema();

}  // namespace sosie
