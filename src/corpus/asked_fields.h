#pragma once

#include "core/thread_pool.h"
#include "corpus/corpus.h"
#include "options/settings.h"

namespace sosie {

// Throws Error{malformed_input}, with the nearest existing name, if a field does not exist: a field
// of --keep must be in at least one of the run's own rows; a field of --show, or one of several
// fields joined by --column, in at least one row; if bad rows do not stop the run, so must a single
// field of --column. `item_fields`: fields that are read from rows whose items are not text. Reads
// one row if every row has the field, and all rows if none does. Inputs without rows, or with
// unreadable rows, pass the check.
void require_asked_fields(const Inputs& inputs, const Settings& settings, const ThreadPool& pool,
                          const std::vector<std::string>& item_fields = {});

}  // namespace sosie
