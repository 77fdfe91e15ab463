#pragma once

#include "corpus/corpus.h"
#include "plan/row_survey.h"

namespace sosie {

// Reads all rows of up to 16 MiB of inputs; of larger inputs, that amount in 128 evenly spread
// pieces, or at the beginning of files that can only be read from there (because their rows may
// contain line feeds). Unreadable rows are counted and treated as empty.
[[nodiscard]] RowSurvey survey_rows(const Inputs& inputs, const Settings& settings);

}  // namespace sosie
