#pragma once

#include "pipeline/corpus.h"

namespace sosie {

// Puts sets together whose rows are (set, element) pairs, with a weight perhaps (options.group_by,
// element, weight), in the order of their first rows, wherever the others lie: the files of each
// collection are replaced by one in scratch with a set a row. All sets are in memory meanwhile.
// Throws Error{malformed_input} with the place of the first row that cannot be read;
// Error{limit_exceeded} when the sets outgrow half of the memory.
void group_rows(const Options& options, const Settings& settings, Scratch& scratch,
                ThreadPool& pool, Inputs& inputs);

}  // namespace sosie
