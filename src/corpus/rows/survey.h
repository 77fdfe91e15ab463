#pragma once

#include "corpus/corpus.h"
#include "plan/row_survey.h"

namespace sosie {

// Reads all rows if the inputs have at most 16 MiB. From larger inputs, reads that amount: in 128
// evenly spread pieces or, from files whose rows may contain line feeds and which therefore can be
// read only from their beginning, at the beginning. Unreadable rows are counted and treated as
// empty.
[[nodiscard]] RowSurvey survey_rows(const Inputs& inputs, const Settings& settings);

}  // namespace sosie
