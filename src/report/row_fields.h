#pragma once

#include <vector>

#include "corpus/corpus.h"
#include "write/html_report.h"

namespace sosie {

// All fields of a row but the one that names it, in their order, as they stand there; those that
// are empty or null are left out. A row of a format without fields that has lines is one without a
// name; a row of a file of vectors has none.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const Corpus& corpus,
                                                  RowId row);
// These fields of the row at `place`, whose bytes are known. Throws RowError if they are no row.
[[nodiscard]] std::vector<ReportField> row_fields(const Inputs& inputs, const RowLocator& place,
                                                  std::string_view bytes);

}  // namespace sosie
