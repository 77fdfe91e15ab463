#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "corpus/item_ids.h"

namespace sosie {

// Ids for items that have none of their own, from a file with one per line, possibly compressed.
// Throws Error{io}; Error{malformed_input} for an empty or repeated id and, if the number of
// `items` is known, unless there is one for each; Error{limit_exceeded} for ids that take more than
// MemoryBudget::ids().
[[nodiscard]] ItemIds read_given_ids(const std::string& path, std::optional<std::uint64_t> items,
                                     std::uint64_t memory_bytes, const std::atomic<bool>* cancel);

}  // namespace sosie
