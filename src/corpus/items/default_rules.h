#pragma once

#include <string>
#include <vector>

#include "corpus/items/record_rows.h"
#include "options/link_rules.h"

namespace sosie {

// Rules chosen from the data, with notes on the choice.
struct ChosenRules {
  LinkRules rules;
  std::vector<std::string> notes;  // "field 'state': left out (constant)"
};

// Chooses from a column's values how it is compared: codes of digits by edits, numbers by the
// rarity of their distance, short words by Jaro-Winkler, other texts by the cosine of 3-character
// sequences. Short columns with the same domain are also compared crosswise and, between two
// collections with texts, all columns as a single text. Columns that are empty, constant, ids or
// repetitions of others are left out, with a note, and so are all but the 512 that differ most.
// Candidates are the 10 nearest records by all fields. With two collections, the fields are the
// columns that both have; with `proposes_pairs`, also pairs of other columns with similar contents
// (counterparts()), each with a note. Throws Error{malformed_input} if there is nothing to compare,
// and Error{invalid_option} if the collections have no column in common.
[[nodiscard]] ChosenRules choose_default_rules(const RecordRows& left, const RecordRows* right,
                                               bool proposes_pairs);

// A field for a single column that is compared as choose_default_rules() would compare it but plays
// no role for candidates and scores. `right`: the column in the other collection, or null.
[[nodiscard]] LinkField usual_field(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
