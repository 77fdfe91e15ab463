#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "write/table.h"

namespace sosie {

// --rejects lists, in input order, every bad row that was left out or passed through, and every row
// that is invalid in its encoding: its file, the physical line of the fault (counted from 1), the
// reason, and the row's bytes without line end. In a vector file, the row number (also counted from
// 1) replaces the line, and there are no bytes.
[[nodiscard]] const std::vector<std::string>& reject_columns();
void write_rejects(const Inputs& inputs, const Corpus& corpus, TableWriter& out);

}  // namespace sosie
