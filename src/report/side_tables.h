#pragma once

#include <functional>
#include <string>
#include <vector>

#include "corpus/rows/row_names.h"
#include "decide/decisions.h"
#include "options/bounds.h"
#include "options/settings.h"
#include "write/table.h"

namespace sosie {

// The source of the tables of removed rows and of groups.
struct SideTableSource {
  const Inputs& inputs;
  const Corpus& corpus;
  Scratch& scratch;
  std::uint64_t memory_bytes;
  // The measure's value for a row and its survivor, which may be the row itself.
  std::function<double(RowNumber row, const Decision& decision)> value;
  BoundFacts facts;
  // The passage of a removed row that its survivor contains. Empty: there is no such column.
  std::function<std::string(RowNumber row, RowNumber survivor)> passage = {};
};

// --removed: every removed row, in input order, with the survivor against which it was verified
// (possibly a row of --against). If a clusters file names no survivor, the survivor's cells are
// empty and similarity is 0.
[[nodiscard]] std::vector<std::string> removed_columns(const std::string& value_name,
                                                       bool has_passage = false);
void write_removed(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                   TableWriter& out);

// Passes the decisions on the run's own rows to a caller. `similarity` is the measure's value; for
// a kept row, it is the value between the row and itself.
void export_decisions(const SideTableSource& source, const Decisions& decisions, RowDecisions& out);

// --clusters: the groups of two or more rows, in the order of their survivors; members are in input
// order. A survivor from --against is counted in `size` but has no line, so all ids are from the
// run's own rows.
[[nodiscard]] const std::vector<std::string>& cluster_columns();
void write_clusters(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                    TableWriter& out);

}  // namespace sosie
