#pragma once

#include <optional>

#include "corpus/items/item_places.h"
#include "join/in_memory_joiner.h"
#include "report/explanation.h"

namespace sosie {

// Two rows by their items; none where a row has nothing to compare, and takes no part.
struct ExplainedItems {
  std::optional<RowId> left;
  std::optional<RowId> right;
};

// Adds both texts as they stand in the input, and what of them is compared where that is not the
// same. `left`, `right`: rows of the items; joiners of other items than texts add nothing.
void explain_texts(const InMemoryJoiner& joiner, const ItemPlaces& places, RowId left, RowId right,
                   const ExplainedItems& items, Explanation& e);

// Fills in all that two items alone decide: the differences of them, and whether lsh meets them.
// `e.same_text`, `e.item` and `e.nothing` are known; lines go behind those that are there.
void explain_items(const InMemoryJoiner& joiner, const ExplainedItems& items, Explanation& e);

// All of an item, its sketch, and the rows of its buckets.
[[nodiscard]] ItemInFull item_in_full(const InMemoryJoiner& joiner, const ItemNumbers& numbers,
                                      std::optional<RowId> item);

}  // namespace sosie
