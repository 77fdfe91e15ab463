#pragma once

#include <memory>

#include "join/item_lookup.h"
#include "options/string_settings.h"

namespace sosie {

// Reads the strings of options.against. Throws as read_strings() does.
[[nodiscard]] std::unique_ptr<ItemLookup> string_lookup(const LookupTask& task,
                                                        const StringSettings& settings);

}  // namespace sosie
