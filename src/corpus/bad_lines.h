#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Number of lines that a row spans.
[[nodiscard]] std::uint64_t lines_of_row(std::string_view row) noexcept;

// Number of lines in rows that were left out or passed through. A quote that is never closed turns
// all following lines into one row. Reads rows of formats in which a row can span several lines;
// `with_ill_formed`: rows that are invalid in their encoding were left out, too.
[[nodiscard]] std::uint64_t lines_of_bad_rows(const Inputs& inputs, std::span<const BadRow> rows,
                                              bool with_ill_formed);

// ", 2 bad rows left out", from blocks that are added to something; empty: no such rows.
[[nodiscard]] std::string bad_rows_text(std::span<const BlockFacts> facts);

}  // namespace sosie
