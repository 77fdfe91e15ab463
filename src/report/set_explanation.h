#pragma once

#include "join/run.h"
#include "report/explain_page.h"

namespace sosie {

// Fills in all that two texts, sets or bags alone decide: what they share, whether lsh lists them,
// the diff of texts. The run has been prepared.
void explain_sets(const Run& run, RowId left, RowId right, Explanation& e);

}  // namespace sosie
