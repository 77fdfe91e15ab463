#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Number of lines that a row spans.
[[nodiscard]] std::uint64_t lines_of_row(std::string_view row) noexcept;

// Number of lines in the rows that were left out or passed through. (A quote that is never closed
// turns all following lines into one row.) Rereads rows in formats in which a row can span several
// lines. `with_ill_formed`: rows that are invalid in their encoding were left out as well.
[[nodiscard]] std::uint64_t lines_of_bad_rows(const Inputs& inputs, std::span<const BadRow> rows,
                                              bool with_ill_formed);

// ", 2 bad rows left out", for blocks of rows that are added to a collection; empty if there are no
// such rows.
[[nodiscard]] std::string bad_rows_text(std::span<const BlockFacts> facts);

}  // namespace sosie
