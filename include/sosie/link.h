#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// Links or groups for a program: records by the numbers of their rows, from 0 in each collection.
struct LinkedRows {
  // Asked for: pairs of the groups of one collection, in input order. Links of two are always
  // there.
  bool wants_pairs = false;

  // Links, best first.
  std::vector<std::uint64_t> left;
  std::vector<std::uint64_t> right;
  std::vector<double> score;         // bits
  std::vector<double> probability;   // that both are one entity
  std::vector<std::uint32_t> rules;  // bits of the rules that found the pair; 0: none did
  std::vector<std::uint8_t> levels;  // by link and compared field
  std::vector<std::string> rule_names;
  std::vector<std::string> fields;                    // names of the compared ones
  std::vector<std::vector<std::string>> level_names;  // by field and level
  std::vector<double> bits;  // by link and compared field; their sum is the score, of a model

  // Records of one collection that are no skipped rows, in input order.
  std::vector<std::uint64_t> record;
  std::vector<std::uint64_t> cluster;  // first record of its group
  std::vector<std::uint64_t> size;     // records of its group
  std::vector<double> weakest;  // least probability of a pair of the group; NaN: it is single

  // Ids of all rows; empty where they have none but their numbers.
  std::vector<std::string> left_ids;
  std::vector<std::string> right_ids;
  bool left_ids_are_integers = false;
  bool right_ids_are_integers = false;
  std::string rules_text;  // rules of the run, as a file for options.rules
};

// Finds the records of the same entity. Without options.against: groups of the records of
// options.inputs, one row a record in input order (id, cluster_id: first id of the group, size,
// weakest: least probability of a pair of the group; single records have size 1 and no weakest),
// and into options.pairs all pairs of records of one group. With it: links (left, right, score in
// bits, probability, rules, and level and bits of each field), best first. With options.annotate or
// options.keep the output is rows of the first collection instead, as they came: one of each group,
// or all, with what was found of each as more fields; the table goes to options.clusters (of two
// collections: options.pairs). Fields are compared level by level; what a level says of two records
// is learnt from the candidate pairs, without labels. Errors: as pairs(), and
// Error{malformed_input} when the collections have no field in common. Source: Fellegi, Sunter,
// JASA 64, 1969.
RunReport link(const Options& options, const RunHooks& hooks = {});

// Does what link() does, and fills in `found`; writes a table only to an output that is named.
RunReport link_rows(const Options& options, const RunHooks& hooks, LinkedRows& found);

// JSON Schema (draft 2020-12) of the TOML files of options.rules, made from the table that their
// parser reads. What depends on two values, such as the name of a field, is checked by the parser
// alone.
[[nodiscard]] std::string link_rules_schema();

}  // namespace sosie
