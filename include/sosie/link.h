#pragma once

#include <string>

#include "sosie/join.h"

namespace sosie {

// Finds the records of the same entity. Without options.against: groups of the records of
// options.inputs, one row a record in input order (id, cluster_id: first id of the group, size,
// weakest: least probability of a pair of the group; single records have size 1 and no weakest),
// and into options.pairs all pairs of records of one group. With it: links (left, right, score in
// bits, probability, rules, and level and bits of each field), best first. Fields are compared
// level by level; what a level says of two records is learnt from the candidate pairs, without
// labels. Errors: as pairs(), and
// Error{malformed_input} when the collections have no field in common. Source: Fellegi, Sunter,
// JASA 64, 1969.
RunReport link(const Options& options, const RunHooks& hooks = {});

// JSON Schema (draft 2020-12) of the TOML files of options.rules, made from the table that their
// parser reads. What depends on two values, such as the name of a field, is checked by the parser
// alone.
[[nodiscard]] std::string link_rules_schema();

}  // namespace sosie
