#pragma once

#include <optional>

#include "options/input_list.h"
#include "sosie/join.h"

namespace sosie {

// The INPUT of a query whose rows are to be answered as they come: a pipe or a terminal whose
// answers go to a pipe, a terminal or standard output, unless an option asks for something that is
// known of all rows together only.
[[nodiscard]] std::optional<InputFile> streamed_input(const Options& options,
                                                      const RunHooks& hooks);

// query() of sets for such an input: reads and indexes DATA, then looks up each row that comes and
// writes its hits before it waits for the next one. What is found by an exact method are the pairs
// that the join of DATA with all rows has, in the same order and bytes. Memory does not grow with
// the rows. Differs from the join where that knows all rows: the method is chosen by DATA alone,
// ids of rows may come again, and what has been written when a run fails stays.
RunReport query_stream(const Options& options, const InputFile& input, const RunHooks& hooks);

}  // namespace sosie
