#pragma once

#include "candidates/prefix_join.h"
#include "core/thread_pool.h"
#include "join/bits/bit_join.h"

namespace sosie {

// True where strings are compared as sets of the places of their ones, and an index of prefixes of
// these sets tells something.
[[nodiscard]] bool has_prefixes(const BitJoinTask& task);

// Predicted cost of join_prefixes() in nanoseconds of one core, from rows that the column alone
// decides; infinite where its memory does not suffice.
[[nodiscard]] double cost_of_prefixes(const BitJoinTask& task);

// Joins the strings as sets (prefix_join()). `take` gets pairs of places; rows of the left side
// come first.
void join_prefixes(const BitJoinTask& task, ThreadPool& pool, const TakePairs& take,
                   JoinCounts& counts);

}  // namespace sosie
