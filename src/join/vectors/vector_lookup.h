#pragma once

#include <memory>

#include "join/item_lookup.h"
#include "options/vector_settings.h"

namespace sosie {

// The method of a run that does not hash.
[[nodiscard]] MethodFacts method_of(const VectorSettings& settings);

// Reads the vectors of options.against. Throws as read_vectors() does; Error{malformed_input} for
// vectors that the measure has no value for.
[[nodiscard]] std::unique_ptr<ItemLookup> vector_lookup(const LookupTask& task,
                                                        const VectorSettings& settings);

}  // namespace sosie
