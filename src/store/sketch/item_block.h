#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/hashed_items.h"
#include "plan/saved_plan.h"

namespace sosie {

// Hashes that a plan of vectors or bit strings gives each item.
[[nodiscard]] HashShape hash_shape(const HashedPlan& plan) noexcept;

// Most rows whose items go into one block of a sketch file: 256 KiB of hashes.
[[nodiscard]] std::size_t most_items_of_block(const HashShape& shape) noexcept;

// Bytes of a block of `items` items.
[[nodiscard]] std::uint64_t item_block_bytes(const HashShape& shape, std::uint64_t items) noexcept;

// Number of items in a block of so many bytes; throws Error{malformed_input} that calls `name`
// damaged for bytes that no block has.
[[nodiscard]] std::uint64_t items_of_block(const HashShape& shape, std::uint64_t bytes,
                                           const std::string& name);

// Items [first, last) as bytes (docs/formats/sketches.md). Equal items are equal bytes.
[[nodiscard]] std::string pack_items(const HashedItems& items, const HashShape& shape,
                                     std::size_t first, std::size_t last);

// The items again. Throws Error{malformed_input} that calls `name` damaged for bytes that are none,
// and for numbers that no item has: cells beyond 31, or not near themselves.
[[nodiscard]] HashedItems unpack_items(std::string_view bytes, const HashShape& shape,
                                       const std::string& name);

}  // namespace sosie
