#pragma once

#include "corpus/corpus.h"
#include "plan/row_survey.h"

namespace sosie {

// Looks at all rows of up to 16 MiB of inputs; of more at those in 128 pieces that are spread
// evenly over them, and of files that can be read from their beginning only (their rows may hold
// line feeds) at as much of the beginning. Rows that cannot be read are counted and pass for empty.
[[nodiscard]] RowSurvey survey_rows(const Inputs& inputs, const Settings& settings);

}  // namespace sosie
