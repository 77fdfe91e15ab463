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

// Chooses how each column is compared by its values: codes of digits by edits, amounts by their
// ratio, short words by Jaro-Winkler, longer texts by the cosine of 3 characters in a row; columns
// that are empty or constant are left out. Candidates are the 10 nearest records by all fields.
// With two collections the fields are those that both have. Throws Error{malformed_input} when
// there is none to compare.
[[nodiscard]] ChosenRules choose_rules(const RecordRows& left, const RecordRows* right);

// A field that is one column, compared as choose_rules() would compare it, but for candidates and
// scores not used. `right`: the column of the other collection, or null.
[[nodiscard]] LinkField usual_field(const RecordColumn& left, const RecordColumn* right);

}  // namespace sosie
