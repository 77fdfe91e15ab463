#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/items/default_rules.h"
#include "corpus/items/record_rows.h"
#include "decide/truth_pairs.h"
#include "sosie/options.h"

namespace sosie {

// Fields and files by which a link run checks its answer, in addition to its own model.
struct LinkChecks {
  std::string field;         // --check-by FIELD; empty: none
  bool each_field = false;   // --check-by auto
  std::string truth_column;  // --truth column:FIELD; empty: none
  std::string truth_file;    // --truth FILE; empty: none
};

// Reads --check-by and --truth. Throws Error{invalid_option}.
[[nodiscard]] LinkChecks checks_of(const Options& options);

// Adds the columns that checks read to the fields that a rules file needs, or removes them from the
// ignored fields.
void want_checks(const LinkChecks& checks, const LinkRules* rules, RecordFields& asked);

// Removes a column from a collection and returns it, so that it is not compared.
[[nodiscard]] std::optional<RecordColumn> taken_column(RecordRows& rows, const std::string& name);

// Makes sure that the rules have the field to check by, and that it is not compared and finds no
// candidates; adds the field if it does not exist. Returns its position. `notes` receives whatever
// is left out. Throws Error{invalid_option} if the field does not exist or is part of another
// compared field, and if nothing is left to compare or to find candidates by.
std::uint32_t hold_out(const std::string& name, const RecordRows& left, const RecordRows* right,
                       ChosenRules& chosen);

}  // namespace sosie
