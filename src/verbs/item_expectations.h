#pragma once

#include <optional>

#include "join/in_memory_joiner.h"

namespace sosie {

// Run of items whose size is foretold.
struct ItemExpectations {
  InMemoryJoiner& joiner;
  const Options& options;
  const RunHooks& hooks;
};

// Says so when absurdly many pairs are to be looked at, from 10^10 on.
void tell_of_checks(const ItemExpectations& run);

// Says so when absurdly many pairs are to be looked at, or to come (from 10^8 on). Throws
// Error{limit_exceeded} where --limit will end the run.
void tell_of_pairs(const ItemExpectations& run);

// Says so when the value of a pair that is not found takes long, from 30 seconds on.
void tell_of_long_value(const ItemExpectations& run, std::optional<RowId> left,
                        std::optional<RowId> right);

}  // namespace sosie
