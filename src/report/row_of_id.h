#pragma once

#include <array>
#include <string>

#include "core/thread_pool.h"
#include "corpus/corpus.h"

namespace sosie {

// The row whose name is `id`. The corpus must have hashes of ids (for sets, set run.looks_up_ids
// before run.prepare()). If no readable row has this id, throws Error{malformed_input} with the
// nearest id as a hint.
[[nodiscard]] RowNumber row_of_id(const Inputs& inputs, const Corpus& corpus, ThreadPool& pool,
                                  const std::string& id);

// The rows to which a user of two collections refers. `a:ID` is one of the run's own rows, `b:ID` a
// row of OTHER. Without such a prefix, the left id is looked up first in the run's own rows and the
// right id first in OTHER, then each in the other collection. If an id itself begins with such a
// prefix, the whole id takes precedence. Without OTHER, this is row_of_id(); requirements and
// errors are the same.
[[nodiscard]] std::array<RowNumber, 2> rows_of_ids(const Inputs& inputs, const Corpus& corpus,
                                                   ThreadPool& pool,
                                                   const std::array<std::string, 2>& ids);

}  // namespace sosie
