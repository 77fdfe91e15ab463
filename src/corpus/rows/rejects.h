#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "write/table.h"

namespace sosie {

// --rejects: every bad row that was left out or passed through, and every row that is invalid in
// its encoding, in input order: its file, the physical line of the fault (counted from 1; for a
// vector file its row, counted likewise, and no bytes), the reason, and its bytes without line end.
[[nodiscard]] const std::vector<std::string>& reject_columns();
void write_rejects(const Inputs& inputs, const Corpus& corpus, TableWriter& out);

}  // namespace sosie
