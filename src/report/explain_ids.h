#pragma once

#include <string>

#include "join/run.h"

namespace sosie {

// The row that is called `id`. Needs run.looks_up_ids before run.prepare(). Throws
// Error{malformed_input} when there is none that could be read, with the nearest id as a hint.
[[nodiscard]] RowId row_of_id(Run& run, const std::string& id);

}  // namespace sosie
