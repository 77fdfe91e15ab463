#pragma once

#include <string>
#include <vector>

#include "corpus/items/record_rows.h"
#include "options/link_rules.h"

namespace sosie {

// Rules that were chosen from the data, and what there is to say of the choice.
struct ChosenRules {
  LinkRules rules;
  std::vector<std::string> notes;  // "field 'state': left out (constant)"
};

// Chooses how each column is compared by its values: codes of digits by edits, numbers by how rare
// their distance is, short words by Jaro-Winkler, other texts by the cosine of 3 characters in a
// row; short columns of one domain also crosswise, and of two collections with texts all columns as
// one text. Left out, with a note, are columns that are empty or constant, ids, those that repeat
// others, and all but the 512 that differ most. Candidates are the 10 nearest records by all
// fields. With two collections the fields are columns that both have; with `proposes_pairs` also
// pairs of others whose contents are alike (counterparts()), each with a note. Throws
// Error{malformed_input} when there is none to compare, Error{invalid_option} when the collections
// have none in common.
[[nodiscard]] ChosenRules choose_default_rules(const RecordRows& left, const RecordRows* right,
                                               bool proposes_pairs);

// A field that is one column, compared as choose_default_rules() would compare it, but for
// candidates and scores not used. `right`: the column of the other collection, or null.
[[nodiscard]] LinkField usual_field(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
