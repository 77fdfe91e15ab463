#pragma once

#include "pipeline/decisions.h"
#include "pipeline/row_names.h"
#include "pipeline/run.h"
#include "write/table.h"

namespace sosie {

// --removed: every removed row, in input order, with the survivor it was verified against (of
// --against too). Where a clusters file names no survivor its cells are empty and similarity is 0.
[[nodiscard]] const std::vector<std::string>& removed_columns();
void write_removed(const Run& run, const Decisions& decisions, RowNames& names, TableWriter& out);

// --clusters: groups of two rows or more, in the order of their survivors, members in input order.
// A survivor of --against counts in `size` and has no line, so that all ids are the run's own.
[[nodiscard]] const std::vector<std::string>& cluster_columns();
void write_clusters(const Run& run, const Decisions& decisions, RowNames& names, TableWriter& out);

}  // namespace sosie
