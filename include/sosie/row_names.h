#pragma once

#include <string>
#include <vector>

#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// Names of the rows of options.inputs.
struct RowNameList {
  bool are_named = false;          // false: rows have numbers only, and `names` is empty
  bool are_integers = false;       // all names are integers in the input
  std::vector<std::string> names;  // one per row, in input order; empty for an unreadable row
};

// Returns the names by which side files of a run with these options refer to the rows: ids in the
// field options.id (if empty: in the field id, if the first row has one), ids in the file
// options.ids, or the paths of documents. Reads all rows; with `looks_only`, only finds out whether
// the rows have names. Errors are the same as for a run that opens these inputs.
[[nodiscard]] RowNameList row_names(const Options& options, bool looks_only,
                                    const RunHooks& hooks = {});

}  // namespace sosie
