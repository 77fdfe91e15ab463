#pragma once

#include "core/thread_pool.h"
#include "corpus/inputs.h"

namespace sosie {

// Compares the ids of the first rows of all files, before all rows are read: shards that number
// their rows from 0 each are refused at once. Rows that cannot be read are left to the reading
// proper. Throws as check_unique_ids() does.
void check_first_ids(const Inputs& inputs, ThreadPool& pool);

// Refuses a row whose id another row of its collection has. `first`: the earlier of both.
[[noreturn]] void refuse_same_id(const Inputs& inputs, const std::string& id,
                                 const RowLocator& first, const RowLocator& second);

}  // namespace sosie
