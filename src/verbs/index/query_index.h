#pragma once

#include <string>
#include <string_view>

#include "options/items_as_file.h"
#include "sosie/join.h"
#include "store/index/index_view.h"

namespace sosie {

// Options of a run over an index for the rows that are looked up, with what it was built with, and
// with a file of its items as OTHER, which is still empty. Throw Error{invalid_option} for options
// that cannot go with one.
[[nodiscard]] Options options_for_index(std::string_view verb, const Options& options,
                                        const IndexView& index);
// `of_sets`: the index holds sets, which are hashed by the plan that it was built with.
void refuse_beside_index(const Options& options, bool of_sets);
void refuse_told_of_index(std::string_view verb, const Options& options);

// Behind a run: tells the items that hooks took by their numbers in the index.
void give_numbers(const ItemsAsFile& items, const RunHooks& hooks);

// dedup() of such options: rows that are similar to an item of the index go, then those that are
// similar to a row before them. With `add` the kept rows become items, once the outputs are there.
RunReport dedup_index(const Options& options, const RunHooks& hooks);

// query() and pairs() of such options. The lines are the ones that a run writes over the rows of
// the index with its plan.
RunReport query_index(std::string_view verb, const Options& options, const RunHooks& hooks);

}  // namespace sosie
