#pragma once

#include <functional>

#include "io/output_file.h"
#include "pipeline/corpus.h"

namespace sosie {

// Copies the bytes of all rows for which keep(row) holds, in input order. A row without a line end
// gets one if another row follows.
void write_kept_rows(const Inputs& inputs, const Corpus& corpus,
                     const std::function<bool(RowId)>& keep, ThreadPool& pool,
                     const RunHooks& hooks, OutputFile& out);

}  // namespace sosie
