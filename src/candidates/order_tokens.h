#pragma once

#include "core/thread_pool.h"
#include "data/token_sets.h"

namespace sosie {

// Numbers the elements of all sets by the number of sets that contain them, rarest first (MMDS
// 3.9.4: the order that leaves the fewest candidates), and sorts the sets by size. The result does
// not depend on the number of threads. Expected time is linear in the number of elements; needs 12
// bytes per element in addition to input and output. Throws Error{limit_exceeded} for 2^32 - 1 or
// more distinct elements.
[[nodiscard]] TokenSets order_tokens(const HashedSets& sets, ThreadPool& pool);

}  // namespace sosie
