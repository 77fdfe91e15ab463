#pragma once

#include <string>
#include <vector>

#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// What the rows of options.inputs are called.
struct RowNameList {
  bool are_named = false;          // else they are called by their numbers, and `names` is empty
  bool are_integers = false;       // all of them are whole numbers in the input
  std::vector<std::string> names;  // one a row, in input order; empty for a row that cannot be read
};

// The ids in the field options.id ("" is the field id, if the first row has one), in the file
// options.ids, or the paths of documents: as side files of a run with these options call its rows.
// Reads all rows, unless `looks_only` asks whether they are named. Errors: those of a run that
// opens the same inputs.
[[nodiscard]] RowNameList row_names(const Options& options, bool looks_only,
                                    const RunHooks& hooks = {});

}  // namespace sosie
