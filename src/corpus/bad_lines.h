#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "corpus/corpus.h"

namespace sosie {

// Number of lines that a row goes over.
[[nodiscard]] std::uint64_t lines_of_row(std::string_view row) noexcept;

// Number of lines of rows that were left out or passed through. A quote that is never closed makes
// one row of all that follow. Reads rows of formats in which a row can go over several lines;
// `with_ill_formed`: rows that are not in their encoding were left out, too.
[[nodiscard]] std::uint64_t lines_of_bad_rows(const Inputs& inputs, std::span<const BadRow> rows,
                                              bool with_ill_formed);

// ", 2 bad rows left out" of blocks that are added to something; empty: none was.
[[nodiscard]] std::string bad_rows_text(std::span<const BlockFacts> facts);

}  // namespace sosie
