#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/item_rows.h"
#include "join/item_lookup.h"
#include "options/input_list.h"
#include "sosie/join.h"

namespace sosie {

// A query of vectors or of bit strings whose rows are answered as they come.
struct ItemQuery {
  const Options& options;  // as_join()
  const Settings& settings;
  const BoundFacts& facts;
  const RunHooks& hooks;
  ThreadPool& pool;
};

// The INPUT of a query of such items, if its rows are to be answered as they come.
[[nodiscard]] std::optional<InputFile> streamed_items(const Options& options,
                                                      const RunHooks& hooks);

// Answers each row of `input` before it waits for the next one, with the pairs, in the order and
// bytes of the exact join with all rows. Otherwise as query_stream().
RunReport query_items(const ItemQuery& query, const InputFile& input, ItemLookup& lookup);

}  // namespace sosie
