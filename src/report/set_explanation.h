#pragma once

#include "join/run.h"
#include "report/explain_page.h"

namespace sosie {

// Fills in all that two texts, sets or bags alone decide: what they share, whether lsh lists them,
// the diff of texts. The run has been prepared.
void explain_sets(const Run& run, RowId left, RowId right, Explanation& e);

// All shingles or elements of a row, its signature, and the rows of its buckets.
[[nodiscard]] ItemInFull set_in_full(Run& run, RowId row);

}  // namespace sosie
