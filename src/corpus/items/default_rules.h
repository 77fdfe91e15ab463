#pragma once

#include <string>
#include <vector>

#include "corpus/items/record_rows.h"
#include "options/link_rules.h"

namespace sosie {

// Rules chosen from the data, and notes on the choice.
struct ChosenRules {
  LinkRules rules;
  std::vector<std::string> notes;  // "field 'state': left out (constant)"
};

// Chooses how each column is compared, based on its values: codes of digits by edits, numbers by
// the rarity of their distance, short words by Jaro-Winkler, other texts by the cosine of
// 3-character sequences; short columns with the same domain also crosswise, and between two
// collections with texts all columns as one text. Columns are left out, with a note, if they are
// empty, constant, ids, or repeat others, and all but the 512 that differ most. Candidates are the
// 10 nearest records by all fields. With two collections the fields are columns that both have;
// with `proposes_pairs` also pairs of other columns with similar contents (counterparts()), each
// with a note. Throws Error{malformed_input} if there is nothing to compare, Error{invalid_option}
// if the collections have no common column.
[[nodiscard]] ChosenRules choose_default_rules(const RecordRows& left, const RecordRows* right,
                                               bool proposes_pairs);

// A field for a single column, compared as choose_default_rules() would compare it, but not used
// for candidates and scores. `right`: the column of the other collection, or null.
[[nodiscard]] LinkField usual_field(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
