#pragma once

#include <cstdint>

#include "corpus/corpus.h"

namespace sosie {

// Decides whether a block that somebody else may have written can be the rows of `range`, a stretch
// of a file of `file_bytes`: rows in the order of the file, none over another, each inside the file
// and begun inside the stretch; as many lines as rows and blank lines; a bad row for each row that
// says so; band keys of 40 bits. What the hashes say of the texts cannot be told from here: texts
// are read again before anything is decided by them. O(rows * bands).
[[nodiscard]] bool can_be_block_of(const BlockRange& range, std::uint64_t file_bytes,
                                   const ScannedBlock& block) noexcept;

}  // namespace sosie
