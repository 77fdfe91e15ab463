#pragma once

#include <string>

#include "core/thread_pool.h"
#include "corpus/corpus.h"

namespace sosie {

// The row that is called `id`. Needs a corpus with hashes of ids (of sets: run.looks_up_ids before
// run.prepare()). Throws Error{malformed_input} when there is none that could be read, with the
// nearest id as a hint.
[[nodiscard]] RowId row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                              const std::string& id);

}  // namespace sosie
