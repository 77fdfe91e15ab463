#pragma once

#include <cstdint>

#include "core/thread_pool.h"
#include "corpus/identical.h"
#include "data/token_sets.h"

namespace sosie {

// Elements of all sets that the scan kept.
[[nodiscard]] std::uint64_t element_count(const Corpus& corpus);

// Moves the sets of the items out of the corpus, by place.
[[nodiscard]] HashedSets gather_sets(Corpus& corpus, const Items& items, ThreadPool& pool);

}  // namespace sosie
