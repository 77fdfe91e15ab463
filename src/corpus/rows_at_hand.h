#pragma once

#include <vector>

#include "corpus/corpus.h"

namespace sosie {

// Tells that these rows will be read again soon, in any order: rows of packed files are collected
// (io/packed_file.h). Costs nothing where no input is packed.
void keep_rows_at_hand(const Inputs& inputs, const Corpus& corpus, std::vector<RowId> rows);

// True if an input is packed, and keep_rows_at_hand() costs something.
[[nodiscard]] bool has_packed_files(const Inputs& inputs) noexcept;

}  // namespace sosie
