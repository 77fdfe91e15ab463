#pragma once

#include "corpus/corpus.h"
#include "data/run_summary.h"
#include "sosie/join.h"
#include "sosie/options.h"

namespace sosie {

// Fills in the number of rows read: per input, in total, and in --against.
void count_inputs(const Inputs& inputs, const Corpus& corpus, RunSummary& summary);

// Lists the files whose encoding is not UTF-8, and the CSV files in an unusual dialect.
void list_unusual(const Inputs& inputs, std::vector<FileInEncoding>& encodings,
                  std::vector<FileInDialect>& dialects);

// Informs the user about these files, for verbs whose summary does not mention them.
void tell_unusual(const Inputs& inputs, const Options& options, const RunHooks& hooks);

}  // namespace sosie
