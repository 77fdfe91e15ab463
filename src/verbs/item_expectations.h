#pragma once

#include <optional>

#include "join/in_memory_joiner.h"

namespace sosie {

// A run on items whose size is predicted.
struct ItemExpectations {
  InMemoryJoiner& joiner;
  const Options& options;
  const RunHooks& hooks;
};

// Warns if excessively many pairs (10^10 or more) have to be checked.
void tell_of_checks(const ItemExpectations& run);

// Warns if very many pairs have to be checked, as tell_of_checks() does, or reported (10^8 or
// more). Throws Error{limit_exceeded} if --limit would be exceeded.
void tell_of_pairs(const ItemExpectations& run);

// Warns if it takes 30 seconds or more to compute the value of a pair that is not found.
void tell_of_long_value(const ItemExpectations& run, std::optional<RowId> left,
                        std::optional<RowId> right);

}  // namespace sosie
