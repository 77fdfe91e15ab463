#pragma once

#include <cstdint>
#include <vector>

#include "sosie/join.h"

namespace sosie {

// MinHash signatures of all input rows (MMDS 3.3), row by row, with `components` 32-bit values per
// row. Two rows agree in a component with a probability equal to SIM of their sets. All values of a
// row without a shingle are 2^32 - 1. `components` is 1 to 4096; unless it is a power of two and at
// least 16, the signature consists of the first components of the next such power. The values
// depend on the options that define the sets (shingle, tokens, stopwords), on sketch and seed, and
// on recipe_version(). Throws Error as pairs() does; an unreadable row is always an error.
[[nodiscard]] std::vector<std::uint32_t> minhash_signatures(const Options& options, int components,
                                                            const RunHooks& hooks = {});

}  // namespace sosie
