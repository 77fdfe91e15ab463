#pragma once

#include <cstdint>

#include "corpus/corpus.h"

namespace sosie {

// Counts the rows of a block; first_row is left to the caller.
[[nodiscard]] BlockFacts block_facts(const ScannedBlock& block);

// Bytes that a block takes in memory.
[[nodiscard]] std::uint64_t memory_of(const ScannedBlock& block);

}  // namespace sosie
