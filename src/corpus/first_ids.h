#pragma once

#include "core/thread_pool.h"
#include "corpus/inputs.h"

namespace sosie {

// Compares the ids in the first rows of all files before all rows are read, so that a run over
// shards that all number their rows from 0 fails at once. Unreadable rows are left to the actual
// reading. Throws as check_unique_ids() does.
void check_first_ids(const Inputs& inputs, ThreadPool& pool);

// Throws an error because two rows of a collection have the same id. `first`: the earlier row.
[[noreturn]] void refuse_same_id(const Inputs& inputs, const std::string& id,
                                 const RowLocator& first, const RowLocator& second);

}  // namespace sosie
