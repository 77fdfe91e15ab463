#include <utility>

#include "verbs/pairs.h"
#include "verbs/query_stream.h"
#include "verbs/verbs.h"

namespace sosie {

Options as_join(Options options) {
  if (!options.against_table && !options.against_sketches) {
    options.against.assign(options.inputs.begin(), options.inputs.begin() + 1);
    options.inputs.erase(options.inputs.begin());
  }
  std::swap(options.ids, options.other_ids);  // of DATA, and of INPUT
  if (options.inputs.empty() && options.files_from.empty() && !options.table) {
    options.inputs.emplace_back("-");
  }
  return options;
}

RunReport query_of_sets(const Options& options, const RunHooks& hooks) {
  if (const auto input = streamed_input(options, hooks)) {
    return query_stream(options, *input, hooks);
  }
  const Options join = as_join(options);
  Run run("query", join, hooks);
  return write_similar_rows(run, PairOrder::best_first);
}

}  // namespace sosie
