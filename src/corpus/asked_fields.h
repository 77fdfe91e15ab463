#pragma once

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "options/settings.h"

namespace sosie {

// Throws Error{malformed_input} for a field of --keep that no row of the run's own has, or one of
// --show or of several that --column joins that no row at all has, with the nearest name there is;
// where bad rows do not stop the run, also for a column of one field. `item_fields`: what is read
// of the rows of items that are no text. One row is read for a field that every row has, all rows
// for one that none has. Inputs without rows, or with rows that cannot be read, may have it.
void require_asked_fields(const Inputs& inputs, const Settings& settings, const ThreadPool& pool,
                          const std::vector<std::string>& item_fields = {});

}  // namespace sosie
