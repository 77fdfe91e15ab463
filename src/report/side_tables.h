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

// Source of the tables of removed rows and of groups.
struct SideTableSource {
  const Inputs& inputs;
  const Corpus& corpus;
  Scratch& scratch;
  std::uint64_t memory_bytes;
  // Value of the measure for a row and its survivor, which may be itself.
  std::function<double(RowNumber row, const Decision& decision)> value;
  BoundFacts facts;
  // Passage of a removed row that stands in its survivor; may be empty: no such column.
  std::function<std::string(RowNumber row, RowNumber survivor)> passage = {};
};

// --removed: every removed row, in input order, with the survivor it was verified against (of
// --against too). Where a clusters file names no survivor its cells are empty and similarity is 0.
[[nodiscard]] std::vector<std::string> removed_columns(const std::string& value_name,
                                                       bool has_passage = false);
void write_removed(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                   TableWriter& out);

// Exports the decisions about the run's own rows to a caller. `similarity` is the measure's value;
// for kept rows the value of a row and itself.
void export_decisions(const SideTableSource& source, const Decisions& decisions, RowDecisions& out);

// --clusters: groups of two rows or more, in the order of their survivors, members in input order.
// A survivor of --against counts in `size` and has no line, so that all ids are the run's own.
[[nodiscard]] const std::vector<std::string>& cluster_columns();
void write_clusters(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                    TableWriter& out);

}  // namespace sosie
