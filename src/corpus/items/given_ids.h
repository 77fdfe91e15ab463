#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "corpus/item_ids.h"

namespace sosie {

// Reads ids, for items that have none, from a possibly compressed file with one id per line. Throws
// Error{io}; Error{malformed_input} for an empty or repeated id and, if the number of `items` is
// known, if there is not exactly one id for each; Error{limit_exceeded} if the ids take more memory
// than MemoryBudget::ids().
[[nodiscard]] ItemIds read_given_ids(const std::string& path, std::optional<std::uint64_t> items,
                                     std::uint64_t memory_bytes, const std::atomic<bool>* cancel);

}  // namespace sosie
