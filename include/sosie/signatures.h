#pragma once

#include <cstdint>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// MinHash signatures of all rows of the inputs (MMDS 3.3), `components` 32-bit values a row, row
// after row: two rows agree in a component with probability SIM of their sets. A row without a
// shingle has 2^32 - 1 everywhere. `components`: 1 to 4096; of a
// number that is no power of two above 15, the first ones of the next such number. What decides the
// values is what decides the sets (shingle, tokens, stopwords), sketch, seed, and recipe_version().
// Throws Error as pairs() does; every unreadable row ends the run.
[[nodiscard]] std::vector<std::uint32_t> minhash_signatures(const Options& options, int components,
                                                            const RunHooks& hooks = {});

}  // namespace sosie
