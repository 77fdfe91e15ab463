#pragma once

#include "corpus/rows/shingled_text.h"
#include "join/sets/set_run.h"
#include "report/explanation.h"

namespace sosie {

// Fills in what two texts, sets or bags share, by their sets: of one whose text is not at hand,
// such as an item of an index, `text` has the set alone.
void explain_overlap(const Settings& settings, const Options& options, const ShingledText& left,
                     const ShingledText& right, Explanation& e);
// Fills in whether lsh with this plan lists two sets, neither of which is empty.
void explain_bands(const BandingPlan& plan, const Settings& settings, const ShingledText& left,
                   const ShingledText& right, Explanation& e);

// Fills in all that two texts, sets or bags alone decide: what they share, whether lsh lists them,
// the diff of texts. The run has been prepared.
void explain_sets(const SetRun& run, RowNumber left, RowNumber right, Explanation& e);

// The longest passage of a row's text that stands in another's; empty where no shingle does.
[[nodiscard]] std::string longest_passage(const SetRun& run, RowNumber row, RowNumber other);

// All shingles or elements of a row, its signature, and the rows of its buckets.
[[nodiscard]] ItemInFull set_in_full(SetRun& run, RowNumber row);

}  // namespace sosie
