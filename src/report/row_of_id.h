#pragma once

#include <array>
#include <string>

#include "core/thread_pool.h"
#include "corpus/corpus.h"

namespace sosie {

// The row that is called `id`. Needs a corpus with hashes of ids (of sets: run.looks_up_ids before
// run.prepare()). Throws Error{malformed_input} when there is none that could be read, with the
// nearest id as a hint.
[[nodiscard]] RowNumber row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                                  const std::string& id);

// The rows that a user of two collections asks for: `a:ID` is one of the run's own, `b:ID` one of
// OTHER. A bare id is one of the run's own if it stands on the left, one of OTHER on the right;
// where that collection has none, of the other collection. An id that has such a mark itself goes
// before what the mark says. Needs and throws as row_of_id(), which it is without OTHER.
[[nodiscard]] std::array<RowNumber, 2> rows_of_ids(const Inputs& inputs, const Corpus& corpus,
                                                   ThreadPool& pool,
                                                   const std::array<std::string, 2>& ids);

}  // namespace sosie
