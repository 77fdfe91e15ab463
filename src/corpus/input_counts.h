#pragma once

#include "corpus/corpus.h"
#include "data/run_summary.h"

namespace sosie {

// Fills in what was read: per input, of all of them, and of --against.
void count_inputs(const Inputs& inputs, const Corpus& corpus, RunSummary& summary);

}  // namespace sosie
