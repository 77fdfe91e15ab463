#pragma once

#include <string>
#include <string_view>

#include "options/items_as_file.h"
#include "sosie/join.h"
#include "store/index/index_view.h"

namespace sosie {

// Options of a run over an index, for the rows that are looked up. They include the build options
// of the index and, as OTHER, a file of its items, which is still empty. The functions throw
// Error{invalid_option} for options that do not apply to an index.
[[nodiscard]] Options options_for_index(VerbBit verb, const Options& options,
                                        const IndexView& index);
// `kinds`: the possible kinds of the items.
void refuse_beside_index(const Options& options, KindBit kinds);
void refuse_told_of_index(VerbBit verb, const Options& options);

// Call this after a run: replaces items in hooks with their numbers in the index.
void give_numbers(const ItemsAsFile& items, const RunHooks& hooks);

// dedup() with such options: removes rows that are similar to an indexed item, then rows that are
// similar to an earlier row. With `add`, the kept rows become items once the outputs have been
// written.
RunReport dedup_index(const Options& options, const RunHooks& hooks);

// query() and pairs() with such options. The output is the same as for a run over the rows of the
// index with the index's plan.
RunReport query_index(VerbBit verb, const Options& options, const RunHooks& hooks);

}  // namespace sosie
