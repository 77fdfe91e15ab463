#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "corpus/item_ids.h"

namespace sosie {

// Ids of items that have none of their own, from a file with one a line, packed or not. Throws
// Error{io}; Error{malformed_input} for an empty or repeated id and, where it is known how many
// `items` there are, unless there is one for each; Error{limit_exceeded} for ids that take more
// than MemoryBudget::ids().
[[nodiscard]] ItemIds read_given_ids(const std::string& path, std::optional<std::uint64_t> items,
                                     std::uint64_t memory_bytes, const std::atomic<bool>* cancel);

}  // namespace sosie
