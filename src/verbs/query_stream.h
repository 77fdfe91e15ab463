#pragma once

#include <optional>

#include "options/input_list.h"
#include "sosie/join.h"

namespace sosie {

// The INPUT of a query whose rows can be answered as they arrive: a pipe or a terminal, if the
// answers go to a pipe, a terminal or standard output. Empty if an option needs to know all rows.
[[nodiscard]] std::optional<InputFile> streamed_input(const Options& options,
                                                      const RunHooks& hooks);

// query() of sets for such an input: reads and indexes DATA, then looks up each row that arrives
// and writes its hits before waiting for the next row. An exact method finds the same pairs as a
// join of DATA with all rows, in the same order and with the same bytes. Memory does not grow with
// the number of rows. The results differ wherever the join needs to know all rows: DATA alone
// determines the method, row ids may repeat, and if a run fails, its output so far remains.
RunReport query_stream(const Options& options, const InputFile& input, const RunHooks& hooks);

}  // namespace sosie
