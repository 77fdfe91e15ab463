#pragma once

#include <string>
#include <string_view>

#include "sosie/join.h"
#include "store/index/index_manifest.h"

namespace sosie {

// True if a query has an index as DATA, or pairs or dedup as OTHER.
[[nodiscard]] bool asks_index(std::string_view verb, const Options& options);

// Options of such a run for the rows that are looked up, with what the index was built with; and
// the path of the index. Throw Error{invalid_option} for options that cannot go with one.
[[nodiscard]] Options options_for_index(std::string_view verb, const Options& options,
                                        const IndexManifest& manifest);
void refuse_told_of_index(std::string_view verb, const Options& options);
[[nodiscard]] std::string index_of(std::string_view verb, const Options& options);

// dedup() of such options: rows that are similar to an item of the index go, then those that are
// similar to a row before them. With `add` the kept rows become items, once the outputs are there.
RunReport dedup_index(const Options& options, const RunHooks& hooks);

// query() and pairs() of such options: looks each row of INPUT up and writes its hits, so that
// memory does not grow with the index. The lines are the ones that a run writes over the rows of
// the index with its plan.
RunReport query_index(std::string_view verb, const Options& options, const RunHooks& hooks);

}  // namespace sosie
