#pragma once

#include <optional>

#include "corpus/items/item_places.h"
#include "join/in_memory_joiner.h"
#include "report/explanation.h"

namespace sosie {

// The items of two rows; empty if a row has nothing to compare and is therefore left out.
struct ExplainedItems {
  std::optional<RowId> left;
  std::optional<RowId> right;
};

// Adds both texts as in the input and, if it differs, in the form that is compared. `left`,
// `right`: rows of the items. Joiners for other kinds of items add nothing.
void explain_texts(const InMemoryJoiner& joiner, const ItemPlaces& places, RowId left, RowId right,
                   const ExplainedItems& items, Explanation& e);

// Fills in all facts that depend only on the two items: their differences, and whether lsh makes
// them a candidate pair. `e.same_text`, `e.item` and `e.nothing` must be set; lines are appended.
void explain_items(const InMemoryJoiner& joiner, const ExplainedItems& items, Explanation& e);

// The complete item, its sketch, and the rows in its buckets.
[[nodiscard]] ItemInFull item_in_full(const InMemoryJoiner& joiner, const ItemNumbers& numbers,
                                      std::optional<RowId> item);

}  // namespace sosie
