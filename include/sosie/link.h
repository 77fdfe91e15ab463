#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// Links or groups for a program. Records are row numbers, from 0 in each collection.
struct LinkedRows {
  // Requests the pairs of the groups of one collection, in input order. Links of two collections
  // are always included.
  bool wants_pairs = false;

  // Links, best first.
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> score;         // bits
  std::vector<double> probability;   // that both are one entity
  std::vector<std::uint32_t> rules;  // bits of the rules that found the pair; 0: none
  std::vector<std::uint8_t> levels;  // by link and compared field
  std::vector<std::string> rule_names;
  std::vector<std::string> fields;                    // names of compared fields
  std::vector<std::vector<std::string>> level_names;  // by field and level
  std::vector<double> bits;  // by link and compared field; with a model, they sum to the score

  // Records of one collection without skipped rows, in input order.
  std::vector<std::uint64_t> record;
  std::vector<std::uint64_t> cluster;  // first record of its group
  std::vector<std::uint64_t> size;     // records of its group
  std::vector<double> weakest;         // lowest probability of a pair of the group; NaN: single

  // Ids of all rows; empty if rows have numbers only.
  std::vector<std::string> left_ids;
  std::vector<std::string> right_ids;
  bool left_ids_are_integers = false;
  bool right_ids_are_integers = false;
  std::string rules_text;  // rules of the run, as a file for options.rules
};

// Finds records of the same entity.
//
// Without options.against: writes the groups of options.inputs, one row per record in input order
// (id; cluster_id: first id of the group; size; weakest: lowest probability of a pair of the group;
// single records have size 1 and no weakest), and all pairs within groups to options.pairs.
//
// With options.against: writes links, best first (left, right, score in bits, probability, rules,
// and level and bits of each field).
//
// With options.annotate or options.keep: writes rows of the first collection unchanged, one per
// group or all of them, with the results as additional fields. The table then goes to
// options.clusters (for two collections: options.pairs).
//
// Fields are compared by levels; the weight of a level is learnt from the candidate pairs, without
// labels. Errors: as pairs(), and Error{malformed_input} if the collections have no common field.
// Source: Fellegi, Sunter, JASA 64, 1969.
RunReport link(const Options& options, const RunHooks& hooks = {});

// Runs link() and fills in `found`; writes a table only to a named output.
RunReport link_rows(const Options& options, const RunHooks& hooks, LinkedRows& found);

// JSON Schema (draft 2020-12) of the TOML files of options.rules, generated from the table of their
// parser. Only the parser checks conditions on two values, such as names of fields.
[[nodiscard]] std::string link_rules_schema();

}  // namespace sosie
