#pragma once

#include "corpus/corpus.h"
#include "data/run_summary.h"
#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// Fills in what was read: per input, of all of them, and of --against.
void count_inputs(const Inputs& inputs, const Corpus& corpus, RunSummary& summary);

// Lists the files that are not UTF-8, and the CSV files in another dialect than the usual one.
void list_unusual(const Inputs& inputs, std::vector<FileInEncoding>& encodings,
                  std::vector<FileInDialect>& dialects);

// Tells the user of these files, in verbs whose summary does not.
void tell_unusual(const Inputs& inputs, const Options& options, const RunHooks& hooks);

}  // namespace sosie
