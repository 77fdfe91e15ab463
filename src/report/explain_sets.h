#pragma once

#include "corpus/rows/shingled_text.h"
#include "join/sets/set_run.h"
#include "report/explanation.h"

namespace sosie {

// Fills in how much two texts, sets or bags have in common, according to their sets. If a text is
// not available, as for an item of an index, its `text` contains only the set.
void explain_overlap(const Settings& settings, const Options& options, const ShingledText& left,
                     const ShingledText& right, Explanation& e);
// Fills in whether lsh with this plan makes two non-empty sets a candidate pair.
void explain_bands(const BandingPlan& plan, const Settings& settings, const ShingledText& left,
                   const ShingledText& right, Explanation& e);

// Fills in all facts that depend only on two texts, sets or bags: what they have in common, whether
// lsh makes them a candidate pair, and the diff of texts. The run must have been prepared.
void explain_sets(const SetRun& run, RowNumber left, RowNumber right, Explanation& e);

// The longest passage of a row's text that the other row's text contains; empty if they share no
// shingle.
[[nodiscard]] std::string longest_passage(const SetRun& run, RowNumber row, RowNumber other);

// All shingles or elements of a row, its signature, and the rows in its buckets.
[[nodiscard]] ItemInFull set_in_full(SetRun& run, RowNumber row);

}  // namespace sosie
