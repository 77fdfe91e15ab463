#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "corpus/item_ids.h"

namespace sosie {

// Ids of items that have none of their own, from a file with one a line. Throws Error{io}, and
// Error{malformed_input} for an empty or repeated id and unless there is one for each of `items`.
[[nodiscard]] ItemIds read_given_ids(const std::string& path, std::uint64_t items,
                                     const std::atomic<bool>* cancel);

}  // namespace sosie
