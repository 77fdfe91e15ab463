#pragma once

#include <memory>

#include "join/item_lookup.h"
#include "options/bit_settings.h"

namespace sosie {

// Reads the bit strings of options.against. Throws as read_bits() does.
[[nodiscard]] std::unique_ptr<ItemLookup> bit_lookup(const LookupTask& task,
                                                     const BitSettings& settings);

}  // namespace sosie
