#pragma once

#include "sosie/table_files.h"

namespace sosie::python {

// Parquet and Arrow IPC through the caller's pyarrow (sosie/_table_files.py), which is imported
// when there is such a file. Throws Error{unsupported} without it.
[[nodiscard]] const TableFiles& python_table_files();

}  // namespace sosie::python
