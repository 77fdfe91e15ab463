#pragma once

#include <cstdint>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// MinHash signatures of all rows of the inputs (MMDS 3.3), row by row, with `components` 32-bit
// values per row. Two rows agree in a component with probability SIM of their sets. A row without a
// shingle has 2^32 - 1 everywhere. `components`: 1 to 4096; a number that is not a power of two of
// at least 16 uses the first components of the next such power. Values depend on the options that
// define the sets (shingle, tokens, stopwords), sketch, seed, and recipe_version(). Throws Error as
// pairs() does; any unreadable row is an error.
[[nodiscard]] std::vector<std::uint32_t> minhash_signatures(const Options& options, int components,
                                                            const RunHooks& hooks = {});

}  // namespace sosie
