#pragma once

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "options/settings.h"

namespace sosie {

// Throws Error{malformed_input} for a field of --keep that none of the run's own rows has, or a
// field of --show, or one of several joined by --column, that no row at all has, with the nearest
// existing name; if bad rows do not stop the run, also for a single field of --column.
// `item_fields`: fields to be read of rows whose items are not text. Reads one row if every row has
// the field, all rows if none has. Inputs without rows, or with unreadable rows, pass the check.
void require_asked_fields(const Inputs& inputs, const Settings& settings, const ThreadPool& pool,
                          const std::vector<std::string>& item_fields = {});

}  // namespace sosie
