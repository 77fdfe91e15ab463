#pragma once

#include <array>
#include <string>

#include "core/thread_pool.h"
#include "corpus/corpus.h"

namespace sosie {

// The row with the name `id`. The corpus must have hashes of ids (for sets, set run.looks_up_ids
// before run.prepare()). If no readable row has this id, throws Error{malformed_input} with the
// nearest id as a hint.
[[nodiscard]] RowNumber row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                                  const std::string& id);

// The rows to which a user of two collections refers: `a:ID` is one of the run's own rows, `b:ID` a
// row of OTHER. An id without such a mark is looked for first in the run's own rows if it is on the
// left, in OTHER if it is on the right, and then in the other collection. An id that itself begins
// like a mark takes precedence over the meaning of the mark. Without OTHER, this is row_of_id();
// requirements and errors are the same.
[[nodiscard]] std::array<RowNumber, 2> rows_of_ids(const Inputs& inputs, const Corpus& corpus,
                                                   ThreadPool& pool,
                                                   const std::array<std::string, 2>& ids);

}  // namespace sosie
